/** Reports: the trust chain behind a document. */
import type { BlockType } from '@blockwork/core/block';
import { reportItemBlock } from './report-item.js';
import { reportBlock } from './report.js';

export { reportBlock, reportItemBlock };

export const reportBlocks: readonly BlockType[] = [reportBlock, reportItemBlock];
