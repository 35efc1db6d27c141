/** The engine's dependencies, supplied by the composition root. */
import type { PermissionRules } from '../access/index.js';
import type {
  ApprovalService,
  OutgoingRequests,
  RefusedMessages,
  RequestList,
  RequestWaiters,
  TrustedPeers,
  SubmittedRequests,
} from '../requests/index.js';
import type { DraftEditor, DraftFiles } from '../editing/index.js';
import type { EventHub } from '../events/index.js';
import type { PolicyDrafts, PolicyLifecycle, PolicyVersions } from '../lifecycle/index.js';
import type { PolicyFileLimits } from '../policy/index.js';
import type {
  Accounts,
  Clock,
  Ids,
  Ledger,
  LogReader,
  PolicyStore,
  PublicationSource,
  WebhookSender,
} from '../ports/index.js';
import type {
  AnswerCache,
  BlockRegistry,
  PolicyExporter,
  PolicyImporter,
  CompiledPolicyCache,
  ToolLibrary,
} from '../catalog/index.js';
import type { PolicyTemplate } from './authoring/templates.js';
import type { DocumentImporter } from './document-importer.js';
import type { EngineLimits } from './limits.js';
import type { BacklogCheck } from './program/backlog-check.js';
import type { ReadinessCheck } from './program/readiness.js';
import type { Executor, RecordReader } from '../transactions/index.js';
import type { LedgerOutbox, ReadablePolicies, StoreNode, TimerQueue, StuckWorkSource } from '../background/index.js';
import type { Inspections, TelemetrySource } from '../telemetry/index.js';
import type { BlockTimers, IdempotentSends, ReadScopeDeps, Workflow } from '../runtime/index.js';
import type { Recorder, Savepoints, TrialPeople } from '../trials/index.js';
import type { WebhookDelivery, WebhookStore } from '../webhooks/index.js';
import type { PolicySight } from './people/policy-sight.js';

export interface EngineDeps {
  readonly store: RecordReader & Pick<PolicyStore, 'capabilities'>;
  readonly policies: CompiledPolicyCache;
  readonly importer: PolicyImporter;
  readonly exporter: PolicyExporter;
  readonly tools: ToolLibrary;
  readonly documents: DocumentImporter;
  readonly workflow: Workflow;
  /** Dependencies for reading policies. */
  readonly runDeps: ReadScopeDeps;
  readonly idempotentSends: IdempotentSends;
  readonly answers: AnswerCache;
  readonly executor: Executor;
  readonly registry: BlockRegistry;
  readonly lifecycle: PolicyLifecycle;
  readonly drafts: PolicyDrafts;
  readonly editor: DraftEditor;
  readonly draftFiles: DraftFiles;
  readonly templates: () => Promise<readonly PolicyTemplate[]>;
  readonly versions: PolicyVersions;
  readonly people: TrialPeople;
  readonly savepoints: Savepoints;
  readonly recorder: Recorder;
  readonly accounts: Accounts;
  readonly sight: PolicySight;
  readonly readablePolicies: ReadablePolicies;
  readonly timerQueue: TimerQueue;
  readonly blockTimers: BlockTimers;
  readonly eventHub: EventHub;
  readonly webhookStore: WebhookStore;
  /** `null` if webhooks are disabled. */
  readonly webhookSender: WebhookSender | null;
  readonly webhookDelivery: WebhookDelivery | null;
  /** `null` without an external ledger. */
  readonly ledgerOutbox: LedgerOutbox | null;
  /** `null` if the books of the policies are the ledger. */
  readonly externalLedger: Ledger | null;
  /** `null` if nothing can be imported by message. */
  readonly publications: PublicationSource | null;
  readonly ids: Ids;
  readonly requests: RequestServices;
  readonly permissionRules: PermissionRules;
  readonly inspections: Inspections;
  readonly source: TelemetrySource;
  readonly clock: Clock;
  readonly limits: EngineLimits;
  readonly policyFileLimits: PolicyFileLimits;
  readonly readiness: ReadinessCheck;
  readonly backlog: BacklogCheck;
  /** `null` if no log lines are kept. */
  readonly recentLog: LogReader | null;
  /** Background work that fails and is retried. */
  readonly watched: readonly StuckWorkSource[];
  /** `null` for a store that belongs to this process alone. */
  readonly storeNode: StoreNode | null;
  /** Releases the dependencies after the last unit of work has ended. */
  readonly release: () => Promise<void>;
}

export interface RequestServices {
  readonly approvals: ApprovalService;
  readonly outgoing: OutgoingRequests;
  readonly requestList: RequestList;
  readonly waiters: RequestWaiters;
  readonly refused: RefusedMessages;
  readonly vouched: SubmittedRequests;
  readonly peers: TrustedPeers;
  /** Resolves when nothing is being sent, auto-approved or expired. */
  idle(): Promise<void>;
}
