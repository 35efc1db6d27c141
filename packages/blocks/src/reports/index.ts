/** Reports: the trust chain behind a document. */
import type { BlockType } from '@blockwork/core/block';
import { messagesReportBlock } from './messages-report.js';
import { reportItemBlock } from './report-item.js';
import { reportBlock } from './report.js';

export { messagesReportBlock, reportBlock, reportItemBlock };

export const reportBlocks: readonly BlockType[] = [reportBlock, reportItemBlock, messagesReportBlock];
