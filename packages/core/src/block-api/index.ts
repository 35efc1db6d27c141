/** What a block type is, and all that a block may know. */
export type { Block, BlockType, EventHandler, ExternalInput, Timetable } from './block.js';
export type {
  BlockHandle,
  CredentialInput,
  CredentialIssuer,
  CredentialVerifier,
  DefinitionReader,
  DocumentReader,
  DocumentWriter,
  EntryReader,
  EntryWriter,
  LedgerMessageInput,
  LedgerReader,
  LedgerTokenInput,
  LedgerWriter,
  MembershipReader,
  MembershipWriter,
  PastState,
  PolicyView,
  ReadContext,
  RunContext,
  StateReader,
  StateWriter,
  UserReader,
} from './context.js';
export { type BlockEvent, ERROR, FILTER_CHANGED, MEMBER_REMOVED, REFRESH, RELEASE, RUN, TICK } from './event.js';
export { type DocumentRow, type DocumentSource, narrowed, type Page, type Selection } from './selection.js';
