/** Extraction: parts of documents as separate documents, and back. */
import type { BlockType } from '@blockwork/core/block';
import { extractDataBlock } from './extract-data.js';

export { extractDataBlock };

export const extractionBlocks: readonly BlockType[] = [extractDataBlock];
