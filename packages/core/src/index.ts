/** `@blockwork/core`: everything a program needs to embed the policy engine. */

export { createEngine, type EngineOptions } from './engine/index.js';
export { readPolicy, type PolicyFile } from './engine/index.js';
export { policyChanges, type ComparedPolicy, type PolicyChange } from './comparison/index.js';
export { serviceIds } from './engine/index.js';
export {
  PolicyEngine,
  type CommitWith,
  type ListPage,
  type Query,
  type Range,
  type ReadOptions,
  type SendOptions,
  type ToolSummary,
} from './engine/index.js';
export { defaultEngineLimits, type EngineLimits } from './engine/index.js';
export type { EventsQuery, GapEvent, OpenEvent, PolicyEvent, StatusEvent, UnitEvent } from './engine/index.js';
export type {
  Identities,
  KeyInput,
  Nodes,
  InstanceOperation,
  LedgerState,
  LogQuery,
  OutsideLedger,
  NodeSummary,
  OperationSummary,
  WaitingMessage,
  NotificationInbox,
  Requests,
  RevokedTokens,
  TokenRevocation,
} from './engine/index.js';
export type { Trials, TrialState } from './engine/index.js';
export type { Lifecycle, PolicyStatusChange } from './engine/index.js';
export type {
  BlockTypeSummary,
  DraftEdit,
  EditAnswer,
  Editing,
  PolicyTemplate,
  PolicyTemplates,
} from './engine/index.js';
export type { DraftFile, DraftFileSummary, EditOptions, PolicyDefinition, RevisedDefinition } from './editing/index.js';
export type {
  DescribedPolicy,
  ExplainAs,
  Explanations,
  InterfaceBlock,
  Journal,
  JournalLog,
  JournalQuery,
  LogCheckpoint,
  LogConsistency,
  LogProof,
  Overview,
  PolicyInterface,
  PolicyOverview,
  Tools,
  PendingWork,
} from './engine/index.js';
export type {
  BundledDocument,
  BundledIdentity,
  BundledMint,
  BundledPolicy,
  BundledRole,
  BundledSchema,
  BundledToken,
  BundleSeal,
  DocumentDetails,
  DocumentQuery,
  Documents,
  EffectQuery,
  PolicySchema,
  PolicyTimer,
  PolicyTimers,
  ProofBundle,
  Schemas,
  SchemaSummary,
  TokenBalance,
  Tokens,
  TokenSummary,
  TrustChain,
  TrustLink,
} from './engine/index.js';
export type {
  BlockDerivation,
  BlockExplanation,
  DocumentDerivation,
  ExplainedBlock,
  ExplainedCondition,
  ExplainedStep,
  ExplainedUser,
  SelectionExplanation,
  SourceExplanation,
  Verdict,
  PendingWorkAtBlock,
} from './runtime/index.js';
export type { WebhookInput, Webhooks, WebhookSummary } from './engine/index.js';
export type {
  MintTotals,
  Program,
  ProgramDocuments,
  ProgramLedger,
  ProgramOrigins,
  ProgramRequests,
  ProgramSchedule,
  ProgramWebhooks,
  Readiness,
} from './engine/index.js';
export {
  channels,
  readTraceparent,
  validTraceparent,
  writeTraceparent,
  type Operations,
  type TraceContext,
} from './telemetry/index.js';
export type {
  Backlog,
  CommitOperation,
  HttpOperation,
  Inspection,
  Inspector,
  MessageOperation,
  Operation,
  OutboxOperation,
  PublishedInspection,
  ReadOperation,
  SendOperation,
  SettleOperation,
  SlowUnit,
  TelemetrySource,
  TimerOperation,
  WebhookOperation,
} from './telemetry/index.js';
export type { StuckWork } from './background/index.js';
export { type BlockReference, isUniqueVariant } from './catalog/index.js';

export { errorTable } from './error-table.js';
export { methodErrors, type MethodErrors } from './engine/index.js';
export {
  BlockworkError,
  isBlockworkError,
  type ErrorArguments,
  type ErrorCode,
  type ErrorOptions,
  type FactsOf,
} from './errors.js';

export {
  accessPath,
  defaultPermissionTable,
  isDid,
  permissions,
  type Availability,
  type Caller,
  type Permission,
  type PermissionTable,
} from './access/index.js';

export {
  jwsSignatures,
  newInstanceKey,
  type ApprovalRule,
  type ArchiveRequests,
  type Ed25519Jwk,
  type InstanceOptions,
  type Peer,
  type RequestInput,
  type RefusalReason,
  type RefusalReport,
  type RefusedMessage,
  type RequestCounts,
  type RequestFilter,
  type RequestPage,
  type Signatures,
  type TrustedPeers,
} from './requests/index.js';

export { packArchive, unpackArchive } from './policy/index.js';
export { defaultPolicyFileLimits, type PolicyFileLimits } from './policy/index.js';
export type { Finding, FindingCode, Suggestion } from './policy/index.js';

export type {
  Accounts,
  Clock,
  CredentialSigner,
  DidMethod,
  Ids,
  Keys,
  Ledger,
  LedgerComparison,
  LedgerCosts,
  LedgerDifference,
  LedgerDifferenceKind,
  LedgerIds,
  LedgerOperation,
  LedgerWitnesses,
  WitnessMessage,
  LedgerPause,
  LedgerStatus,
  Link,
  LinkedContext,
  LinkedData,
  LogFields,
  LogLine,
  LogReader,
  Logger,
  Notifications,
  PolicyStore,
  PublicationSource,
  ProofSuite,
  PublishedFile,
  Secrets,
  SecretUse,
  Timers,
  ToolSource,
  WebhookRequest,
  WebhookResponse,
  PublishedSchema,
  PublishedTool,
  RenamedTool,
  SchemaOfTool,
  SettlementFacts,
  WebhookSender,
} from './ports/index.js';
export { proofSuites } from './ports/index.js';

export {
  consoleLogger,
  environmentSecrets,
  fileSecrets,
  DerivedAccounts,
  randomIds,
  recentLog,
  SeededKeys,
  silentLogger,
  systemClock,
  systemTimers,
  type ConsoleLoggerOptions,
  type LogLevel,
  type RecentLog,
  type RecentLogOptions,
} from './defaults/index.js';
export {
  MemoryLedger,
  MemoryLink,
  MemoryLinkHub,
  MemoryStore,
  type FailureMoment,
  type MemoryLinkHubOptions,
  type MemoryLinkOptions,
} from './memory/index.js';

export type {
  DocumentInput,
  DocumentRecord,
  GroupMembership,
  IdentityKey,
  RevokedToken,
  JournalEntry,
  Json,
  JsonAnswer,
  JsonObject,
  LedgerEffect,
  LedgerMessage,
  LedgerRow,
  LedgerToken,
  NavigationStep,
  Notification,
  PolicyRecord,
  Recording,
  RemoteRequest,
  Savepoint,
  SerialRange,
  TokenRelation,
  ToolReference,
  VirtualUser,
} from './records/index.js';
