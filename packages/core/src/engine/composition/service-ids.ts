/** The engine's services and their container identifiers: classes, and symbols for the rest. Rebind one to replace it. */
import type { Bind, ServiceIdentifier } from 'inversify';
import type { PermissionRules } from '../../access/index.js';
import { JournalRetention, MessageOutbox, ReadablePolicies, TimerQueue } from '../../background/index.js';
import type {
  CrossNodeWakeUps,
  BackgroundService,
  Leases,
  LedgerOutbox,
  NotificationDelivery,
  StoreNode,
} from '../../background/index.js';
import { DocumentUsage } from '../../context/index.js';
import type { Proofs } from '../../context/index.js';
import type { StoreClock } from '../../defaults/index.js';
import { AnswerCache, CompiledPolicyCache, PolicyExporter, PolicyImporter, ToolLibrary } from '../../catalog/index.js';
import type { BlockRegistry } from '../../catalog/index.js';
import { DraftEditor, DraftFiles } from '../../editing/index.js';
import { EventHub } from '../../events/index.js';
import { PolicyDrafts, PolicyLifecycle, PolicyVersions } from '../../lifecycle/index.js';
import type { PolicyFileLimits } from '../../policy/index.js';
import type {
  Accounts,
  Clock,
  CredentialSigner,
  DidMethod,
  Ids,
  Keys,
  Ledger,
  Link,
  Logger,
  LogReader,
  Notifications,
  PolicyStore,
  Secrets,
  Timers,
  PublicationSource,
  ToolSource,
  WebhookSender,
} from '../../ports/index.js';
import {
  ApprovalService,
  AutoApproval,
  Expiry,
  Inbox,
  OutgoingMessages,
  OutgoingRequests,
  PeerQuota,
  PeerStreams,
  RefusedMessages,
  RequestArchive,
  RequestCloser,
  RequestedActions,
  RequestList,
  RequestWaiters,
  Resumption,
  StreamShares,
  TrustedPeers,
  SubmittedRequests,
} from '../../requests/index.js';
import type {
  ApprovalRule,
  ArchiveRequests,
  Connection,
  Envelopes,
  InstanceIdentity,
  Reconciliation,
  Signatures,
} from '../../requests/index.js';
import { BlockTimers, IdempotentSends, Workflow } from '../../runtime/index.js';
import type { RunDeps } from '../../runtime/index.js';
import type { Inspections, TelemetrySource } from '../../telemetry/index.js';
import { CommitListeners, Executor } from '../../transactions/index.js';
import type { RecordCaches } from '../../transactions/index.js';
import { Recorder, Savepoints, TrialPeople } from '../../trials/index.js';
import { WebhookStore } from '../../webhooks/index.js';
import type { WebhookDelivery } from '../../webhooks/index.js';
import type { WitnessService } from '../../witness/index.js';
import type { PolicyTemplate } from '../authoring/templates.js';
import { DocumentImporter } from '../document-importer.js';
import type { RequestServices } from '../engine-deps.js';
import { PolicyEngine } from '../engine.js';
import type { EngineLimits } from '../limits.js';
import { PolicySight } from '../people/policy-sight.js';

/** For what is no class, or may be absent. */
const serviceId = <Service>(name: string): ServiceIdentifier<Service> => Symbol(name);

export const serviceIds = {
  // Ports and settings
  store: serviceId<PolicyStore>('PolicyStore'),
  link: serviceId<Link>('Link'),
  /** `null` if the policies' books are the only ledger. */
  externalLedger: serviceId<Ledger | null>('Ledger'),
  /** `null` if tools can only be imported. */
  toolSource: serviceId<ToolSource | null>('ToolSource'),
  publications: serviceId<PublicationSource | null>('PublicationSource'),
  /** `null` if notifications stay in the inboxes; also applies to `notificationDelivery`. */
  notifications: serviceId<Notifications | null>('Notifications'),
  /** `null` if webhooks are disabled; also applies to `webhookDelivery`. */
  webhookSender: serviceId<WebhookSender | null>('WebhookSender'),
  clock: serviceId<Clock>('Clock'),
  /** `null` for a store that belongs to this process alone; also applies to `storeNode`, `leases` and `wakeUps`. */
  storeClock: serviceId<StoreClock | null>('StoreClock'),
  storeNode: serviceId<StoreNode | null>('StoreNode'),
  leases: serviceId<Leases | null>('Leases'),
  wakeUps: serviceId<CrossNodeWakeUps | null>('CrossNodeWakeUps'),
  timers: serviceId<Timers>('Timers'),
  ids: serviceId<Ids>('Ids'),
  logger: serviceId<Logger>('Logger'),
  /** `null` if no log lines are kept. */
  recentLog: serviceId<LogReader | null>('LogReader'),
  inspections: serviceId<Inspections>('Inspections'),
  /** The engine's identity in telemetry. */
  source: serviceId<TelemetrySource>('TelemetrySource'),
  keys: serviceId<Keys>('Keys'),
  proofs: serviceId<Proofs>('Proofs'),
  /** `null`: identities that the engine makes are `did:key`. */
  didMethod: serviceId<DidMethod | null>('DidMethod'),
  secrets: serviceId<Secrets>('Secrets'),
  accounts: serviceId<Accounts>('Accounts'),
  permissionRules: serviceId<PermissionRules>('PermissionRules'),
  limits: serviceId<EngineLimits>('EngineLimits'),
  policyFileLimits: serviceId<PolicyFileLimits>('PolicyFileLimits'),

  // Policies and units of work
  registry: serviceId<BlockRegistry>('BlockRegistry'),
  policies: CompiledPolicyCache,
  tools: ToolLibrary,
  answers: AnswerCache,
  importer: PolicyImporter,
  usage: DocumentUsage,
  exporter: PolicyExporter,
  documents: DocumentImporter,
  commitListeners: CommitListeners,
  /** `null` for a store that belongs to this process alone. */
  recordCaches: serviceId<RecordCaches | null>('RecordCaches'),
  executor: Executor,
  notificationDelivery: serviceId<NotificationDelivery | null>('NotificationDelivery'),
  webhookStore: WebhookStore,
  webhookDelivery: serviceId<WebhookDelivery | null>('WebhookDelivery'),
  runDeps: serviceId<RunDeps>('RunDeps'),
  idempotentSends: IdempotentSends,
  workflow: Workflow,
  blockTimers: BlockTimers,
  lifecycle: PolicyLifecycle,
  drafts: PolicyDrafts,
  editor: DraftEditor,
  draftFiles: DraftFiles,
  templates: serviceId<() => Promise<readonly PolicyTemplate[]>>('PolicyTemplates'),
  versions: PolicyVersions,
  people: TrialPeople,
  savepoints: Savepoints,
  recorder: Recorder,
  journalRetention: JournalRetention,
  sight: PolicySight,
  readablePolicies: ReadablePolicies,
  timerQueue: TimerQueue,
  keyCheck: serviceId<BackgroundService>('KeyCheck'),
  eventHub: EventHub,
  /** `null` without an external ledger. */
  ledgerOutbox: serviceId<LedgerOutbox | null>('LedgerOutbox'),
  /** `null` if logs are not witnessed. */
  witness: serviceId<WitnessService | null>('WitnessService'),

  // Requests between instances
  signatures: serviceId<Signatures>('Signatures'),
  peers: TrustedPeers,
  /** `null` for an engine without an instance id; also applies to `envelopes` and `connection`. */
  identity: serviceId<InstanceIdentity | null>('InstanceIdentity'),
  envelopes: serviceId<Envelopes | null>('Envelopes'),
  connection: serviceId<Connection | null>('Connection'),
  signer: serviceId<CredentialSigner | null>('CredentialSigner'),
  archiveRequests: serviceId<ArchiveRequests | null>('ArchiveRequests'),
  approvalRule: serviceId<ApprovalRule | null>('ApprovalRule'),
  trustedInstances: serviceId<ReadonlySet<string>>('TrustedInstances'),
  messages: OutgoingMessages,
  messageOutbox: MessageOutbox,
  actions: RequestedActions,
  closer: RequestCloser,
  inbox: Inbox,
  approvals: ApprovalService,
  autoApproval: AutoApproval,
  resumption: Resumption,
  outgoing: OutgoingRequests,
  peerQuota: PeerQuota,
  requestArchive: RequestArchive,
  expiry: Expiry,
  /** `null` for an engine without an instance id. */
  reconciliation: serviceId<Reconciliation | null>('Reconciliation'),
  streamShares: StreamShares,
  peerStreams: PeerStreams,
  refused: RefusedMessages,
  vouched: SubmittedRequests,
  requestList: RequestList,
  waiters: RequestWaiters,
  requests: serviceId<RequestServices>('RequestServices'),

  engine: PolicyEngine,
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

/** What all background services expect. */
export const background = ['store', 'clock', 'timers', 'logger', 'inspections', 'leases'] as const;

/** Binds a class that expects services under these names. */
export function provide<Name extends keyof Services, Service extends object>(
  bind: Bind,
  service: new (deps: Pick<Services, Name>) => Service,
  ...names: readonly Name[]
): void {
  bind(service).toDynamicValue((context) => new service(take(context, ...names)));
}
