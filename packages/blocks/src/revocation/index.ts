/** Revocation: a document is taken back together with everything that builds on it. */
import type { BlockType } from '@blockwork/core/block';
import { revocationBlock } from './revocation-block.js';

export { revocationBlock };

export const revocationBlocks: readonly BlockType[] = [revocationBlock];
