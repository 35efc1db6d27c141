/** Blockwork core: the policy workflow engine, its ports, the block contract, and an in-memory implementation of each port. */

export { createEngine, type EngineOptions } from './engine/index.js';
export { serviceIds } from './engine/index.js';
export { PolicyEngine, type Query, type Range } from './engine/index.js';
export { defaultEngineLimits, type EngineLimits } from './engine/index.js';
export type { Requests } from './engine/index.js';
export type { Lifecycle, PolicyStatusChange } from './engine/index.js';
export type { Schedule } from './engine/index.js';
export type { ProgramLedger, MintTotals } from './engine/index.js';
export { amountOf, MAX_DECIMALS, MAX_UNITS, unitsOf } from './ledger/index.js';
export {
  joseSignatures,
  newInstanceKey,
  type ApprovalRule,
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
  type BlockHandle,
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
} from './block-api/index.js';
export type { BlockReference } from './catalog/index.js';

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
  DerivedAccounts,
  randomIds,
  SeededKeys,
  silentLogger,
  systemClock,
  systemTimers,
  type ConsoleLoggerOptions,
  type LogLevel,
} from './defaults/index.js';
export {
  copyChangeSet,
  DeliveryQueue,
  MemoryLedger,
  MemoryLink,
  MemoryLinkHub,
  MemoryStore,
  RecordTables,
  Revisions,
  type FailureMoment,
  type DeliveryOptions,
  type MemoryLinkHubOptions,
  type MemoryLinkOptions,
  type TableInfo,
} from './memory/index.js';

export * from './records/index.js';
