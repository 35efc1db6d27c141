/** Revocation of a document together with all its dependents. */
import type { BlockType } from '@blockwork/core/block';
import { revocationBlock } from './revocation-block.js';

export { revocationBlock };

export const revocationBlocks: readonly BlockType[] = [revocationBlock];
