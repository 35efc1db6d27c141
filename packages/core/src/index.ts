/** Blockwork core: the policy workflow engine, its ports, the block contract, and an in-memory implementation of each port. */

export { createEngine, type EngineOptions } from './container.js';
export { parts } from './parts.js';
export { PolicyEngine, type Query, type Range } from './engine.js';
export { defaultEngineLimits, type EngineLimits } from './engine-limits.js';
export type { RequestDesk } from './request-desk.js';
export type { LifecycleDesk, PolicyStatusChange } from './lifecycle-desk.js';
export type { ScheduleDesk } from './schedule-desk.js';
export type { LedgerDesk, Minted } from './ledger-desk.js';
export { amountOf, MAX_DECIMALS, MAX_UNITS, unitsOf } from './ledger/index.js';
export {
  joseSignatures,
  newInstanceKey,
  type ApprovalRule,
  type Ed25519Jwk,
  type InstanceOptions,
  type Peer,
  type Question,
  type RefusalReason,
  type RefusalReport,
  type RefusedMessage,
  type RequestCounts,
  type RequestFilter,
  type RequestPage,
  type Signatures,
  type TrustedPeers,
} from './approvals/index.js';
export { BlockworkError, errorTable, isBlockworkError, type ErrorCode, type ErrorOptions } from './errors.js';
export { toDetails } from './problem-details.js';

export {
  ANY_ROLE,
  defaultPermissionTable,
  NO_ROLE,
  OWNER,
  permissions,
  permits,
  type Availability,
  type Caller,
  type Permission,
  type PermissionTable,
  type PolicyUser,
} from './access/index.js';

export {
  ERROR,
  FILTER_CHANGED,
  MEMBER_REMOVED,
  narrowed,
  REFRESH,
  RELEASE,
  RUN,
  TICK,
  type Block,
  type BlockEvent,
  type BlockReference,
  type BlockType,
  type CredentialInput,
  type CredentialIssuer,
  type CredentialVerifier,
  type DefinitionReader,
  type DocumentReader,
  type DocumentRow,
  type DocumentSource,
  type DocumentWriter,
  type EntryReader,
  type EntryWriter,
  type EventHandler,
  type ExternalInput,
  type LedgerMessageInput,
  type LedgerReader,
  type LedgerTokenInput,
  type LedgerWriter,
  type MembershipReader,
  type MembershipWriter,
  type Neighbour,
  type Page,
  type PastState,
  type PolicyView,
  type ReadContext,
  type RunContext,
  type Selection,
  type StateReader,
  type StateWriter,
  type Timetable,
  type UserReader,
} from './runtime/index.js';

export {
  DocumentsSourceAddon,
  FiltersAddon,
  HistoryAddon,
  Information,
  InterfaceContainer,
  InterfaceDocumentsSource,
  InterfaceStep,
  invitationToken,
  PaginationAddon,
  PolicyRoles,
} from './blocks/index.js';

export {
  defaultPolicyFileLimits,
  type BlockAbout,
  type BlockDefinition,
  type BlockKind,
  type BlockNode,
  type EventLink,
  type Finding,
  type FindingCode,
  type PolicyFileLimits,
  type PolicyTree,
} from './policy/index.js';

export {
  indexedPaths,
  isoNow,
  type Accounts,
  type Change,
  type ChangeSet,
  type Clock,
  type CredentialSigner,
  type Ids,
  type IndexedPaths,
  type Inspection,
  type Inspector,
  type Keys,
  type Ledger,
  type Link,
  type LinkMessage,
  type LinkPosition,
  type LinkSubscription,
  type LogFields,
  type Logger,
  type PolicyStore,
  type RecordQuery,
  type StoreCapabilities,
  type Timers,
} from './ports/index.js';

export { createProof, signingIdentity, type ProofRequest, type SigningIdentity } from './credentials/index.js';

export {
  consoleLogger,
  copyChangeSet,
  DerivedAccounts,
  DeliveryQueue,
  MemoryLedger,
  MemoryLink,
  MemoryLinkHub,
  MemoryStore,
  randomIds,
  RecordTables,
  Revisions,
  SeededKeys,
  silentLogger,
  systemClock,
  systemTimers,
  type ConsoleLoggerOptions,
  type FailureMoment,
  type DeliveryOptions,
  type LogLevel,
  type MemoryLinkHubOptions,
  type MemoryLinkOptions,
  type TableInfo,
} from './memory/index.js';

export * from './records/index.js';
