/** Everything that deals with requests between instances, put together from its ports. */
import type { Clock, CredentialSigner, Ids, Inspector, Link, Logger, PolicyStore, Timers } from '../ports/index.js';
import type { Executor } from '../transactions/index.js';
import type { PolicyImporter, CompiledPolicyCache } from '../catalog/index.js';
import type { Workflow } from '../runtime/index.js';
import { ApprovalService } from './approval-service.js';
import { OutgoingRequests } from './outgoing-requests.js';
import { AutoApproval, type ApprovalRule } from './auto-approval.js';
import type { CommitListener } from '../transactions/index.js';
import { Connection } from './messaging/connection.js';
import { Envelopes } from './messaging/envelopes.js';
import { Expiry } from './expiry.js';
import { Inbox } from './inbox.js';
import { instanceIdentity, type InstanceOptions } from './messaging/instance-identity.js';
import { MessageOutbox } from '../background/index.js';
import { OutgoingMessages } from './messaging/outgoing-messages.js';
import { Receiver } from './messaging/receiver.js';
import { RefusedMessages } from './messaging/refused-messages.js';
import { RequestCloser } from './request-closer.js';
import { RequestedActions } from './requested-actions.js';
import { RequestList } from './request-list.js';
import { Resumption } from './resumption.js';
import type { Signatures } from './messaging/signatures.js';
import type { TrustedPeers } from './messaging/trusted-peers.js';
import { VouchedRequests } from './vouched-requests.js';
import { RequestWaiters } from './request-waiters.js';

export interface RequestServicesDeps {
  readonly store: PolicyStore;
  readonly link: Link;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly inspector: Inspector;
  readonly executor: Executor;
  readonly policies: CompiledPolicyCache;
  readonly importer: PolicyImporter;
  readonly workflow: Workflow;
  readonly signatures: Signatures;
}

export interface RequestOptions {
  readonly instance: InstanceOptions | null;
  readonly peers: TrustedPeers;
  readonly trustedInstances: readonly string[];
  readonly signer: CredentialSigner | null;
  readonly rule: ApprovalRule | null;
  readonly limits: { readonly requestMs: number; readonly answerMs: number; readonly messageCharacters: number };
}

export interface RequestServices {
  readonly vouched: VouchedRequests;
  readonly approvals: ApprovalService;
  readonly outgoing: OutgoingRequests;
  readonly list: RequestList;
  readonly waiting: RequestWaiters;
  readonly refused: RefusedMessages;
  readonly peers: TrustedPeers;
  /** Those among them that hear of commits, in this order. */
  readonly commitListeners: readonly CommitListener[];
  /** Begins to listen, to send, and to close what expires. */
  start(): void;
  /** Resolves when nothing is being sent, approved by the rule, or closed because its time is up. */
  idle(): Promise<void>;
  /** Takes nothing more in, and resolves when nothing is under way. What waits to be sent stays in the store. */
  stop(): Promise<void>;
}

/** Throws `OPTION_INVALID`. */
export function requestServices(ports: RequestServicesDeps, options: RequestOptions): RequestServices {
  const { store, clock, executor, inspector, timers, logger } = ports;
  const { peers, limits, signer } = options;
  const identity = options.instance === null ? null : instanceIdentity(options.instance);
  const envelopes =
    identity === null
      ? null
      : new Envelopes(identity, { signatures: ports.signatures, peers, messageCharacters: limits.messageCharacters });
  const messages = new OutgoingMessages(clock, identity && envelopes && { identity, envelopes });
  const actions = new RequestedActions(ports.policies, ports.importer, ports.workflow, signer);
  const closer = new RequestCloser({ executor, clock, inspector, messages });
  const inbox = new Inbox({ executor, clock, closer, actions, requestMs: limits.requestMs });
  const approvals = new ApprovalService(actions, { store, executor, clock, closer });
  const resumption = new Resumption(ports.workflow, signer);
  const outgoing = new OutgoingRequests({ ...ports, peers, messages, resumption, requestMs: limits.requestMs });
  const refused = new RefusedMessages(clock, logger, inspector);
  const trustedInstances = new Set(options.trustedInstances);
  const here = identity?.id ?? 'here';
  const vouched = new VouchedRequests({ inbox, clock, inspector, trustedInstances, here, requestMs: limits.requestMs });
  const outbox = new MessageOutbox({ ...ports, ...(envelopes && { seal: (message) => envelopes.seal(message) }) });
  const expiry = new Expiry({ store, clock, timers, logger, closer, outgoing, limits });
  const auto = new AutoApproval({ rule: options.rule, store, clock, timers, logger, approvals });
  const waiting = new RequestWaiters({ store, timers });
  const connection =
    identity && envelopes && connect({ ...ports, envelopes, peers, inbox, outgoing, messages, refused }, identity.id);

  return {
    vouched,
    approvals,
    outgoing,
    list: new RequestList(store, clock),
    waiting,
    refused,
    peers,
    commitListeners: [expiry, auto, waiting, outbox],
    start: () => {
      outbox.start();
      auto.start();
      expiry.start();
      connection?.start();
    },
    idle: async () => {
      await auto.idle();
      await expiry.idle();
      await outbox.idle();
    },
    stop: async () => {
      await connection?.stop();
      await Promise.all([auto.stop(), expiry.stop()]);
      waiting.stop();
      await executor.idle();
      await outbox.stop();
    },
  };
}

type ConnectedParts = ConstructorParameters<typeof Receiver>[0] & {
  readonly link: Link;
  readonly timers: Timers;
} & Pick<RequestServicesDeps, 'clock' | 'logger'>;

const connect = (parts: ConnectedParts, instance: string): Connection =>
  new Connection({ ...parts, instance, receiver: new Receiver(parts) });
