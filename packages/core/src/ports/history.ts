/** History: the kinds of records that are only ever added, are removed oldest first, and are read in pages, seldom. */
import type { RecordKind } from '../records/index.js';

/** A store need not keep them in memory. All that holds for other records holds for them, too; reads may take longer. */
const historyKinds: ReadonlySet<string> = new Set<RecordKind>(['journal', 'journal-archive']);

export const isHistory = (kind: string): boolean => historyKinds.has(kind);
