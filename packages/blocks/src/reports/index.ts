/** Reports: the trust chain behind a document. */
import type { AnyBlockType } from '@blockwork/core/block';
import { Report } from './report.js';
import { ReportItem } from './report-item.js';

export { Report, ReportItem };

export const reportBlocks: readonly AnyBlockType[] = [Report, ReportItem];
