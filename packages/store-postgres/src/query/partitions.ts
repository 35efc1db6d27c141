/** Reads the records of one kind in several partitions in one statement. */
import type { Condition, RecordKind } from '@blockwork/core/adapter';
import { nameOf } from '../codec/name.js';
import type { Run } from '../connection/connections.js';
import type { Tables } from '../schema/tables.js';
import { TableQuery } from './table-query.js';
import { recordIn, UnreadableRow } from './record-in.js';

export interface PartitionsQuery {
  readonly kind: RecordKind;
  readonly partitions: readonly string[];
  readonly where: Condition | undefined;
}

/**
 * The records per partition, in the order of `partitions`. `null` if the condition must be checked on the records
 * themselves, or one is damaged.
 */
export async function readPartitions(
  run: Run,
  tables: Tables,
  { kind, partitions, where }: PartitionsQuery,
): Promise<readonly object[][] | null> {
  const distinct = [...new Set(partitions)];
  const query = new TableQuery(tables, kind, '', where, undefined, distinct);
  if (!query.isPlain) return null;
  const parameters = query.parameters();
  const rows = `select body, place, partition, false as unsure from ${query.table}
 where ${query.matching('plain', parameters)}`;
  const head = `select null, null, null, ${query.hasUnsure(parameters)}`;
  const answer = await run<Row>({ text: `${rows}\nunion all ${head}`, values: parameters.values });
  if (answer.some((row) => row.body === null && row.unsure)) return null;
  try {
    return grouped(answer, partitions);
  } catch (error) {
    if (error instanceof UnreadableRow) return null;
    throw error;
  }
}

/** A record, or, without a body, whether some rows are undecided by their columns. */
type Row =
  | { readonly body: string; readonly place: string; readonly partition: string; readonly unsure: false }
  | { readonly body: null; readonly unsure: boolean };

interface Found {
  readonly place: bigint;
  readonly record: object;
}

function grouped(rows: readonly Row[], partitions: readonly string[]): object[][] {
  const groups = new Map<string, Found[]>();
  for (const row of rows) {
    if (row.body === null) continue;
    const group = groups.get(row.partition) ?? [];
    group.push({ place: BigInt(row.place), record: recordIn(row) });
    groups.set(row.partition, group);
  }
  for (const each of groups.values()) each.sort((a, b) => (a.place < b.place ? -1 : 1));
  return partitions.map((partition) => (groups.get(nameOf(partition)) ?? []).map(({ record }) => record));
}
