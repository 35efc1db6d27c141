/**
 * What an engine did, as individual facts with the acting user, on the channel `blockwork:inspection` of
 * `node:diagnostics_channel`. For developer tools in the same process; operations, which are exported, name no users.
 */
import { channel } from 'node:diagnostics_channel';
import { unnamedSource, type TelemetrySource } from './operations.js';

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
  /** Comparing the log of a policy with its newest checkpoint on the ledger, and sending the next one. */
  | 'witness'
  | 'webhook'
  /** Reading the records of policies, some of which are damaged. */
  | 'policies';

/**
 * A stream of plain objects that report what the engine does, for developer tools. Those about a unit of work are published
 * after its commit.
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
  /** The log of a policy does not continue the checkpoint in this message: the store is older than it was, or was changed. */
  | { readonly type: 'log.contradicted'; readonly policyId: string; readonly messageId: string }
  /** The checkpoint in this message is signed with another key than the instance has now. */
  | { readonly type: 'log.key-replaced'; readonly policyId: string; readonly messageId: string }
  | { readonly type: 'message.refused'; readonly reason: string; readonly instance: string | null }
  | { readonly type: 'outbox.sent'; readonly id: string; readonly topic: string }
  | { readonly type: 'outbox.failed'; readonly id: string; readonly topic: string; readonly attempts: number };

/** Called synchronously; exceptions are logged and have no other effect. */
export type Inspector = (inspection: Inspection) => void;

/** An inspection as it is on the channel. */
export interface PublishedInspection {
  readonly source: TelemetrySource;
  readonly inspection: Inspection;
}

interface InspectionsOptions {
  /** The engine that publishes. */
  readonly source?: TelemetrySource;
  /** Subscribes to this engine alone. */
  readonly inspector?: Inspector | undefined;
  /** Called with what the inspector throws. */
  readonly onFailure?: (error: unknown, inspection: Inspection) => void;
}

/** Referenced here: a channel without references loses its subscribers. */
const published = channel('blockwork:inspection');

/** The inspections of one engine. */
export class Inspections {
  constructor(private readonly options: InspectionsOptions) {}

  /** Whether there are subscribers. Check first where much is done: without any, no inspection need be created. */
  get isHeard(): boolean {
    return this.options.inspector !== undefined || published.hasSubscribers;
  }

  publish(inspection: Inspection): void {
    const { source = unnamedSource, inspector, onFailure } = this.options;
    try {
      inspector?.(inspection);
    } catch (error) {
      onFailure?.(error, inspection);
    }
    if (published.hasSubscribers) published.publish({ source, inspection } satisfies PublishedInspection);
  }
}
