/** Everything that deals with requests between instances, put together from its ports. */
import type { Clock, CredentialSigner, Ids, Inspector, Link, Logger, PolicyStore, Timers } from '../ports/index.js';
import type { Executor, PolicyIntake, PolicyLibrary, Workflow } from '../runtime/index.js';
import { ApprovalService } from './approval-service.js';
import { AskedRequests } from './asked-requests.js';
import { AutoApproval, type ApprovalRule } from './auto-approval.js';
import type { CommitWatch } from './commit-watch.js';
import { Connection } from './connection.js';
import { Envelopes } from './envelopes.js';
import { Expiry } from './expiry.js';
import { Inbox } from './inbox.js';
import { instanceIdentity, type InstanceOptions } from './instance-identity.js';
import { Outbox } from './outbox.js';
import { OutgoingMessages } from './outgoing-messages.js';
import { Receiver } from './receiver.js';
import { RefusedMessages } from './refused-messages.js';
import { RequestCloser } from './request-closer.js';
import { RequestedActions } from './requested-actions.js';
import { RequestList } from './request-list.js';
import { Resumption } from './resumption.js';
import type { Signatures } from './signatures.js';
import type { TrustedPeers } from './trusted-peers.js';
import { VouchedRequests } from './vouched-requests.js';
import { Waiting } from './waiting.js';

export interface RequestPorts {
  readonly store: PolicyStore;
  readonly link: Link;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly inspector: Inspector;
  readonly executor: Executor;
  readonly commits: CommitWatch;
  readonly library: PolicyLibrary;
  readonly intake: PolicyIntake;
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
  readonly asked: AskedRequests;
  readonly list: RequestList;
  readonly waiting: Waiting;
  readonly refused: RefusedMessages;
  readonly peers: TrustedPeers;
  /** Begins to listen, to send, and to close what expires. */
  start(): void;
  /** Resolves when nothing is being sent, approved by the rule, or closed because its time is up. */
  idle(): Promise<void>;
  /** Takes nothing more in, and resolves when nothing is under way. What waits to be sent stays in the store. */
  stop(): Promise<void>;
}

/** Throws `OPTION_INVALID`. */
export function requestServices(ports: RequestPorts, options: RequestOptions): RequestServices {
  const { store, clock, executor, inspector, commits, timers, logger } = ports;
  const { peers, limits, signer } = options;
  const identity = options.instance === null ? null : instanceIdentity(options.instance);
  const envelopes =
    identity === null
      ? null
      : new Envelopes(identity, { signatures: ports.signatures, peers, messageCharacters: limits.messageCharacters });
  const messages = new OutgoingMessages(clock, identity && envelopes && { identity, envelopes });
  const actions = new RequestedActions(ports.library, ports.intake, ports.workflow, signer);
  const closer = new RequestCloser({ executor, clock, inspector, messages });
  const inbox = new Inbox({ executor, clock, closer, actions, requestMs: limits.requestMs });
  const approvals = new ApprovalService(actions, { store, executor, clock, closer });
  const resumption = new Resumption(ports.workflow, signer);
  const asked = new AskedRequests({ ...ports, peers, messages, resumption, requestMs: limits.requestMs });
  const refused = new RefusedMessages(clock, logger, inspector);
  const trustedInstances = new Set(options.trustedInstances);
  const here = identity?.id ?? 'here';
  const vouched = new VouchedRequests({ inbox, clock, inspector, trustedInstances, here, requestMs: limits.requestMs });
  const outbox = new Outbox({ ...ports, ...(envelopes && { seal: (message) => envelopes.seal(message) }) });
  const expiry = new Expiry({ store, clock, timers, logger, commits, closer, asked, answerMs: limits.answerMs });
  const auto = new AutoApproval(options.rule, { store, timers, logger, commits, approvals });
  const waiting = new Waiting(store, timers, commits);
  const connection =
    identity && envelopes && connect({ ...ports, envelopes, peers, inbox, asked, messages, refused }, identity.id);
  commits.watch((changeSet) => outbox.notice(changeSet));

  return {
    vouched,
    approvals,
    asked,
    list: new RequestList(store, clock),
    waiting,
    refused,
    peers,
    start: () => {
      outbox.send();
      auto.start();
      void expiry.look();
      void connection?.start();
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
} & Pick<RequestPorts, 'clock' | 'logger'>;

const connect = (parts: ConnectedParts, instance: string): Connection =>
  new Connection(instance, { ...parts, receiver: new Receiver(parts) });
