/** Reports: the trust chain behind a document. */
import type { BlockType } from '@blockwork/core/block';
import { Report } from './report.js';
import { ReportItem } from './report-item.js';

export { Report, ReportItem };

export const reportBlocks: readonly BlockType[] = [Report, ReportItem];
