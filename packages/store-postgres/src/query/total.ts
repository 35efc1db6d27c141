/** Counts records, from the document tally if possible, otherwise by counting rows. */
import { longList } from '../codec/equality-key.js';
import type { Run } from '../connection/connections.js';
import { documentTable, tallyColumns } from '../schema/layout.js';
import type { Tables } from '../schema/tables.js';
import type { TableQuery } from './table-query.js';

/** `null` if the records themselves must be read. */
export async function readTotal(run: Run, tables: Tables, query: TableQuery): Promise<number | null> {
  const isTallied = query.table === tables[documentTable.name] && isSubset(query.columns, tallyColumns);
  const parameters = query.parameters();
  const [from, total] = isTallied ? ['tallied', 'coalesce(sum(n), 0)'] : [query.table, 'count(*)'];
  const matching = `select ${total} from ${from} where ${query.matching('plain', parameters)}`;
  const text = `select (${matching}) as total, ${query.hasUnsure(parameters, from)} as unsure`;
  const whole = isTallied ? `with tallied as (${talliedRows(tables)})\n${text}` : text;
  const [row] = await run<{ total: string; unsure: boolean }>({ text: whole, values: parameters.values });
  return row === undefined || row.unsure ? null : Number(row.total);
}

/** The tally with the columns of documents, so that conditions apply to it. Contents of lists are unknown. */
function talliedRows({ tally }: Tables): string {
  const keys = tallyColumns.map((column) => `nullif(${column}, '') as ${column}`).join(', ');
  const elements = tallyColumns.map((column) => `'${longList(column)}'`).join(', ');
  return `select partition, ${keys}, n, array[${elements}]::text[] as elements from ${tally} where partition = $1 and n > 0`;
}

const isSubset = (some: ReadonlySet<string>, all: readonly string[]): boolean =>
  [...some].every((each) => all.includes(each));
