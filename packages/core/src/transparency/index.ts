/** The log of a journal: a Merkle tree over its entries, with checkpoints and proofs. */
export { logCompletion } from './append.js';
export type { Checkpoint } from './checkpoint.js';
export { leafData, leafOf, type LogLeaf } from './leaf.js';
export { consistencySpans, inclusionSpans, type Hash } from './merkle.js';
export { checkpointOf, type LogCheckpoint, ownCheckpoint } from './signed-checkpoint.js';
export { StoredLog } from './stored-log.js';
export { TILE_WIDTH, tileAt } from './tiles.js';
