/** The engine's services, by typed container identifiers. Rebind one to replace it. */
import type { ServiceIdentifier } from 'inversify';
import type { PermissionRules } from '../../access/index.js';
import type {
  CrossNodeWakeUps,
  JournalRetention,
  BackgroundService,
  LedgerOutbox,
  MessageOutbox,
  NodeCalls,
  NotificationDelivery,
  ReadablePolicies,
  StoreNode,
  TimerQueue,
} from '../../background/index.js';
import type { DocumentUsage } from '../../context/index.js';
import type { StoreClock } from '../../defaults/index.js';
import type {
  AnswerCache,
  BlockRegistry,
  CompiledPolicyCache,
  PolicyExporter,
  PolicyImporter,
  ToolLibrary,
} from '../../catalog/index.js';
import type { EventHub } from '../../events/index.js';
import type { PolicyDrafts, PolicyLifecycle, PolicyVersions } from '../../lifecycle/index.js';
import type { PolicyFileLimits } from '../../policy/index.js';
import type {
  Accounts,
  Clock,
  CredentialSigner,
  Ids,
  Inspector,
  Keys,
  Ledger,
  Link,
  Logger,
  LogReader,
  Notifications,
  PolicyStore,
  Secrets,
  Timers,
  ToolSource,
  WebhookSender,
} from '../../ports/index.js';
import type {
  ApprovalRule,
  ArchiveRequests,
  ApprovalService,
  AutoApproval,
  Connection,
  Envelopes,
  Expiry,
  Inbox,
  InstanceIdentity,
  OutgoingMessages,
  OutgoingRequests,
  PeerQuota,
  PeerStreams,
  Reconciliation,
  RefusedMessages,
  RequestArchive,
  RequestCloser,
  RequestedActions,
  RequestList,
  RequestWaiters,
  Resumption,
  Signatures,
  StreamShares,
  TrustedPeers,
  SubmittedRequests,
} from '../../requests/index.js';
import type { BlockTimers, IdempotentSends, RunDeps, Workflow } from '../../runtime/index.js';
import type { TelemetrySource } from '../../telemetry/index.js';
import type { CommitListeners, Executor, RecordCaches } from '../../transactions/index.js';
import type { Recorder, Savepoints, TrialPeople } from '../../trials/index.js';
import type { WebhookDelivery, WebhookStore } from '../../webhooks/index.js';
import type { DocumentImporter } from '../document-importer.js';
import type { RequestServices } from '../engine-deps.js';
import type { PolicyEngine } from '../engine.js';
import type { EngineLimits } from '../limits.js';
import type { PolicySight } from '../people/policy-sight.js';

const serviceId = <Service>(name: string): ServiceIdentifier<Service> => Symbol(name);

export const serviceIds = {
  // Ports and settings
  store: serviceId<PolicyStore>('PolicyStore'),
  link: serviceId<Link>('Link'),
  /** `null` if the policies' books are the only ledger. */
  externalLedger: serviceId<Ledger | null>('Ledger'),
  /** `null` if tools can only be imported. */
  toolSource: serviceId<ToolSource | null>('ToolSource'),
  /** `null` if notifications stay in the inboxes; also applies to `notificationDelivery`. */
  notifications: serviceId<Notifications | null>('Notifications'),
  /** `null` if webhooks are disabled; also applies to `webhookDelivery`. */
  webhookSender: serviceId<WebhookSender | null>('WebhookSender'),
  clock: serviceId<Clock>('Clock'),
  /** `null` for a store that belongs to this process alone; also applies to `storeNode` and `wakeUps`. */
  storeClock: serviceId<StoreClock | null>('StoreClock'),
  storeNode: serviceId<StoreNode | null>('StoreNode'),
  wakeUps: serviceId<CrossNodeWakeUps | null>('CrossNodeWakeUps'),
  /** Also `null` if nodes cannot send messages to each other. */
  nodeCalls: serviceId<NodeCalls | null>('NodeCalls'),
  timers: serviceId<Timers>('Timers'),
  ids: serviceId<Ids>('Ids'),
  logger: serviceId<Logger>('Logger'),
  /** `null` if no log lines are kept. */
  recentLog: serviceId<LogReader | null>('LogReader'),
  inspector: serviceId<Inspector>('Inspector'),
  /** The engine's identity in telemetry. */
  source: serviceId<TelemetrySource>('TelemetrySource'),
  keys: serviceId<Keys>('Keys'),
  secrets: serviceId<Secrets>('Secrets'),
  accounts: serviceId<Accounts>('Accounts'),
  permissionRules: serviceId<PermissionRules>('PermissionRules'),
  limits: serviceId<EngineLimits>('EngineLimits'),
  policyFileLimits: serviceId<PolicyFileLimits>('PolicyFileLimits'),

  // Policies and units of work
  registry: serviceId<BlockRegistry>('BlockRegistry'),
  policies: serviceId<CompiledPolicyCache>('CompiledPolicyCache'),
  tools: serviceId<ToolLibrary>('ToolLibrary'),
  answers: serviceId<AnswerCache>('AnswerCache'),
  importer: serviceId<PolicyImporter>('PolicyImporter'),
  usage: serviceId<DocumentUsage>('DocumentUsage'),
  exporter: serviceId<PolicyExporter>('PolicyExporter'),
  documents: serviceId<DocumentImporter>('DocumentImporter'),
  commitListeners: serviceId<CommitListeners>('CommitListeners'),
  /** `null` for a store that belongs to this process alone. */
  recordCaches: serviceId<RecordCaches | null>('RecordCaches'),
  executor: serviceId<Executor>('Executor'),
  notificationDelivery: serviceId<NotificationDelivery | null>('NotificationDelivery'),
  webhookStore: serviceId<WebhookStore>('WebhookStore'),
  webhookDelivery: serviceId<WebhookDelivery | null>('WebhookDelivery'),
  runDeps: serviceId<RunDeps>('RunDeps'),
  idempotentSends: serviceId<IdempotentSends>('IdempotentSends'),
  workflow: serviceId<Workflow>('Workflow'),
  blockTimers: serviceId<BlockTimers>('BlockTimers'),
  lifecycle: serviceId<PolicyLifecycle>('PolicyLifecycle'),
  drafts: serviceId<PolicyDrafts>('PolicyDrafts'),
  versions: serviceId<PolicyVersions>('PolicyVersions'),
  people: serviceId<TrialPeople>('TrialPeople'),
  savepoints: serviceId<Savepoints>('Savepoints'),
  recorder: serviceId<Recorder>('Recorder'),
  journalRetention: serviceId<JournalRetention>('JournalRetention'),
  sight: serviceId<PolicySight>('PolicySight'),
  readablePolicies: serviceId<ReadablePolicies>('ReadablePolicies'),
  timerQueue: serviceId<TimerQueue>('TimerQueue'),
  keyCheck: serviceId<BackgroundService>('KeyCheck'),
  eventHub: serviceId<EventHub>('EventHub'),
  /** `null` without an external ledger. */
  ledgerOutbox: serviceId<LedgerOutbox | null>('LedgerOutbox'),

  // Requests between instances
  signatures: serviceId<Signatures>('Signatures'),
  peers: serviceId<TrustedPeers>('TrustedPeers'),
  /** `null` for an engine without an instance id; also applies to `envelopes` and `connection`. */
  identity: serviceId<InstanceIdentity | null>('InstanceIdentity'),
  envelopes: serviceId<Envelopes | null>('Envelopes'),
  connection: serviceId<Connection | null>('Connection'),
  signer: serviceId<CredentialSigner | null>('CredentialSigner'),
  archiveRequests: serviceId<ArchiveRequests | null>('ArchiveRequests'),
  approvalRule: serviceId<ApprovalRule | null>('ApprovalRule'),
  trustedInstances: serviceId<ReadonlySet<string>>('TrustedInstances'),
  messages: serviceId<OutgoingMessages>('OutgoingMessages'),
  messageOutbox: serviceId<MessageOutbox>('MessageOutbox'),
  actions: serviceId<RequestedActions>('RequestedActions'),
  closer: serviceId<RequestCloser>('RequestCloser'),
  inbox: serviceId<Inbox>('Inbox'),
  approvals: serviceId<ApprovalService>('ApprovalService'),
  autoApproval: serviceId<AutoApproval>('AutoApproval'),
  resumption: serviceId<Resumption>('Resumption'),
  outgoing: serviceId<OutgoingRequests>('OutgoingRequests'),
  peerQuota: serviceId<PeerQuota>('PeerQuota'),
  requestArchive: serviceId<RequestArchive>('RequestArchive'),
  expiry: serviceId<Expiry>('Expiry'),
  /** `null` for an engine without an instance id. */
  reconciliation: serviceId<Reconciliation | null>('Reconciliation'),
  streamShares: serviceId<StreamShares>('StreamShares'),
  peerStreams: serviceId<PeerStreams>('PeerStreams'),
  refused: serviceId<RefusedMessages>('RefusedMessages'),
  vouched: serviceId<SubmittedRequests>('SubmittedRequests'),
  requestList: serviceId<RequestList>('RequestList'),
  waiters: serviceId<RequestWaiters>('RequestWaiters'),
  requests: serviceId<RequestServices>('RequestServices'),

  engine: serviceId<PolicyEngine>('PolicyEngine'),
} as const;

type ServiceOf<Id> = [Id] extends [ServiceIdentifier<infer Service>] ? Service : never;

export type Services = { readonly [Name in keyof typeof serviceIds]: ServiceOf<(typeof serviceIds)[Name]> };

/** A container, or the context from which a binding resolves its dependencies. */
export interface Resolver {
  get<Service>(id: ServiceIdentifier<Service>): Service;
}

/** Resolves several services, under the names constructors expect. */
export function take<Name extends keyof Services>(from: Resolver, ...names: readonly Name[]): Pick<Services, Name> {
  return Object.fromEntries(names.map((name) => [name, from.get<unknown>(serviceIds[name])])) as Pick<Services, Name>;
}
