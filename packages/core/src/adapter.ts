/** `@blockwork/core/adapter`: what a store, a link, a ledger or a transport is built with. */

export {
  inLineOrder,
  isHistory,
  isoNow,
  type Change,
  type ChangeSet,
  type Clock,
  type Coordination,
  type CredentialSigner,
  type Doorbell,
  type Keys,
  type LeaseAnswer,
  type Ledger,
  type Link,
  type LinkMessage,
  type LinkPosition,
  type LinkStatus,
  type LinkSubscription,
  type NodeFacts,
  type NodeStatus,
  type PolicyStore,
  type RecordQuery,
  type RetryState,
  type Rung,
  type StoreCapabilities,
  type StoreEnd,
  type StoreHead,
  type StoreLine,
  type StoreSource,
  type Timers,
} from './ports/index.js';

export {
  checkOptions,
  invalidOption,
  optionTypes,
  withDefaults,
  type OptionShape,
  type OptionType,
} from './options/index.js';
export {
  copyChangeSet,
  decodeBody,
  DeliveryQueue,
  encodeBody,
  MESSAGE_BYTES,
  RecordTables,
  Revisions,
  type TableInfo,
} from './memory/index.js';

export {
  createProof,
  signingIdentity,
  toDidKey,
  type ProofRequest,
  type SigningIdentity,
} from './credentials/index.js';
export {
  compareAt,
  everything,
  jsonBytes,
  matches,
  valueAt,
  type Comparison,
  type Condition,
  type Json,
  type JsonObject,
  type Order,
  type RecordKind,
  type RecordKinds,
} from './records/index.js';
