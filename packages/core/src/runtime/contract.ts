/** All that a block may know of the runtime. */
export type { Block, BlockType, EventHandler, ExternalInput, Timetable } from '../block-api/index.js';
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
  BlockHandle,
  PastState,
  PolicyView,
  ReadContext,
  RunContext,
  StateReader,
  StateWriter,
  UserReader,
} from '../block-api/index.js';
export {
  ERROR,
  FILTER_CHANGED,
  MEMBER_REMOVED,
  REFRESH,
  RELEASE,
  RUN,
  TICK,
  type BlockEvent,
} from '../block-api/index.js';
export { narrowed, type DocumentRow, type DocumentSource, type Page, type Selection } from '../block-api/index.js';
