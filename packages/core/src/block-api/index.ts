/** The block contract, and everything a block has access to. */
export type { BlockType, EventHandler, ExternalInput, Timetable } from './block-type.js';
export type { Derivation, DerivedField, DerivedVariable } from './derivation.js';
export type { BlockPlace, BlockShapes } from './block-type.js';
export { fail, isBlockFailure, withLocation } from './block-failure.js';
export { assertBlockType } from './block-type-check.js';
export { type BlockSpec, defineBlock } from './define-block.js';
export type { EntryReader, EntryWriter, StateReader, StateWriter } from './block-memory.js';
export type { WorkBudget } from './run-context.js';
export type { SecretReader } from './run-context.js';
export type { NotificationInput, NotificationSender } from './run-context.js';
export type { CredentialInput, CredentialIssuer, CredentialVerifier } from './credential-access.js';
export {
  type BlockEvent,
  type EmitOptions,
  ERROR,
  type EventData,
  FILTER_CHANGED,
  MEMBER_REMOVED,
  REFRESH,
  RELEASE,
  ROW_ACTION,
  RUN,
  type StandardInput,
  type StandardOutput,
  standardOutputs,
  TICK,
} from './event.js';
export type {
  ExternalMessage,
  ExternalTopic,
  LedgerMessageInput,
  LedgerReader,
  LedgerTokenInput,
  LedgerWriter,
} from './ledger-access.js';
export type {
  DefinitionReader,
  DocumentRange,
  DocumentReader,
  DocumentWriter,
  MembershipReader,
  MembershipWriter,
  PastState,
  UserReader,
} from './policy-access.js';
export type { BlockHandle, PolicyView, ReadContext } from './read-context.js';
export type { RunContext } from './run-context.js';
export type { ReceivedEvent, StreamAccess, StreamAnnouncement, StreamRange } from './run-context.js';
export { type DocumentRow, type DocumentSource, narrowed, type Page, type Selection } from './selection.js';
