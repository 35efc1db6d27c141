/** All that a block may know of the runtime. */
export type { Block, BlockType, EventHandler } from './block.js';
export type {
  DocumentReader,
  DocumentWriter,
  MembershipReader,
  MembershipWriter,
  Neighbour,
  PolicyView,
  ReadContext,
  RunContext,
  StateReader,
  StateWriter,
} from './context.js';
export { FILTER_CHANGED, REFRESH, RELEASE, RUN, type BlockEvent } from './event.js';
export { narrowed, type DocumentRow, type DocumentSource, type Page, type Selection } from './selection.js';
