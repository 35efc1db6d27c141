/** Work that is done outside a request, separately for each policy, request or message. */
export type BackgroundWork =
  | 'timers'
  | 'expiry'
  /** Removing requests that ended long ago. */
  | 'archive'
  | 'approval'
  | 'journal'
  | 'outbox'
  | 'settlement'
  | 'webhook'
  /** Reading the records of policies, some of which are damaged. */
  | 'policies';

/**
 * A stream of plain objects that report what the engine does, for metrics, traces and developer tools. Events about a unit of
 * work are sent after its commit.
 */
export type Inspection =
  | { readonly type: 'block.read'; readonly policyId: string; readonly tag: string; readonly did: string }
  | {
      readonly type: 'block.refused';
      readonly policyId: string;
      readonly tag: string;
      readonly did: string;
      readonly code: string;
    }
  | {
      readonly type: 'unit.committed';
      readonly policyId: string;
      readonly tag: string;
      readonly did: string;
      readonly changes: number;
      readonly attempts: number;
    }
  | {
      readonly type: 'unit.failed';
      readonly policyId: string;
      readonly tag: string;
      readonly did: string;
      readonly code: string;
    }
  | {
      readonly type: 'block.ran';
      readonly policyId: string;
      readonly tag: string;
      readonly did: string;
      readonly input: string;
    }
  | { readonly type: 'policy.status'; readonly policyId: string; readonly status: string }
  | { readonly type: 'policy.imported'; readonly policyId: string; readonly findings: number }
  | { readonly type: 'request.received'; readonly messageId: string }
  /** Messages may be lost; the engine asks for the outcome of its open requests. */
  | { readonly type: 'link.lost'; readonly reason: string }
  /** The store is in another history: commits may be gone, and nothing known of the former one is used again. */
  | { readonly type: 'history.changed'; readonly reason: string }
  /**
   * Background work failed for one policy, request or message, named by `id`, and is retried; the others are not
   * affected.
   */
  | {
      readonly type: 'background.stuck';
      readonly work: BackgroundWork;
      readonly id: string;
      readonly failures: number;
    }
  | { readonly type: 'request.inquired'; readonly messageId: string }
  | { readonly type: 'request.closed'; readonly messageId: string; readonly status: string }
  | { readonly type: 'ledger.settled'; readonly policyId: string; readonly effectId: string }
  | {
      readonly type: 'ledger.unsettled';
      readonly policyId: string;
      readonly effectId: string;
      readonly reason: string;
    }
  | { readonly type: 'message.refused'; readonly reason: string; readonly instance: string | null }
  | { readonly type: 'outbox.sent'; readonly id: string; readonly topic: string }
  | { readonly type: 'outbox.failed'; readonly id: string; readonly topic: string; readonly attempts: number };

/** Called synchronously; exceptions are logged and have no other effect. */
export type Inspector = (inspection: Inspection) => void;
