/** History: append-only kinds of records, which are removed oldest first and read rarely, in pages. */
import type { RecordKind } from '../records/index.js';

/** A store need not keep them in memory. The contract for other records holds for them too; reads may take longer. */
const historyKinds: ReadonlySet<string> = new Set<RecordKind>(['journal', 'journal-archive']);

export const isHistory = (kind: string): boolean => historyKinds.has(kind);
