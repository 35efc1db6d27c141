/** `@blockwork/core/adapter`: what a store, a link, a ledger or a transport is built with. */

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

export {
  copyChangeSet,
  DeliveryQueue,
  RecordTables,
  Revisions,
  type DeliveryOptions,
  type TableInfo,
} from './memory/index.js';

export { createProof, signingIdentity, type ProofRequest, type SigningIdentity } from './credentials/index.js';
export { toDetails } from './problem-details.js';
export {
  compareAt,
  compareValues,
  everything,
  matches,
  valueAt,
  type Comparison,
  type Condition,
  type ErrorDetail,
  type Json,
  type JsonObject,
  type Order,
  type RecordKind,
  type RecordKinds,
} from './records/index.js';
