/** All that a block may know of the runtime. */
export type { Block, BlockType, EventHandler, ExternalInput, Timetable } from './block.js';
export type {
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
  Neighbour,
  PastState,
  PolicyView,
  ReadContext,
  RunContext,
  StateReader,
  StateWriter,
  UserReader,
} from './context.js';
export { ERROR, FILTER_CHANGED, MEMBER_REMOVED, REFRESH, RELEASE, RUN, TICK, type BlockEvent } from './event.js';
export { narrowed, type DocumentRow, type DocumentSource, type Page, type Selection } from './selection.js';
