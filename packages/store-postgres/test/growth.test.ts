/** The indexes that statements use, regardless of the number of current and dead rows, with and without statistics. */
import { Client } from 'pg';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openPostgresStore, type PostgresStore } from '../src/index.js';
import { describeWithDatabase } from '../../../test/support/postgres/database.js';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

await describeWithDatabase('Statements', (database) => {
  let store: PostgresStore;
  beforeEach(async () => {
    store = await openPostgresStore({ address: database.address() });
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await store.close();
  });

  /** The table scans in the plan of the last statement of `work` that starts with `start`, on its own connection. */
  const scansOf = async (start: string, work: () => Promise<unknown>): Promise<string[]> => {
    const query = vi.spyOn(Client.prototype, 'query');
    await work();
    const at = query.mock.calls.findLastIndex(([statement]) => textOf(statement).startsWith(start));
    const [{ text, values }] = query.mock.calls[at] as unknown as [{ text: string; values: unknown[] }];
    const client = query.mock.contexts[at] as Client;
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (format json) ${text}`,
      values,
    );
    return rows.flatMap((row) => scansIn(row['QUERY PLAN'][0].Plan));
  };
  const document = (at: number) => ({
    ...{ id: `document-${String(at)}`, policyId: 'p', dataType: 'vc-documents' as const, owner: 'did', option: {} },
    ...{ document: {}, createDate: '2026-01-01', updateDate: '2026-01-01' },
  });
  const put = (from: number, to: number): Promise<void> =>
    store.commit({
      expect: {},
      changes: Array.from({ length: to - from }, (_, n) => ({
        ...{ op: 'put' as const, kind: 'document' as const, partition: 'p' },
        value: document(from + n),
      })),
    });
  const withoutStatistics = async (): Promise<void> => {
    const client = new Client(database.address());
    await client.connect();
    for (const table of ['document', 'record']) {
      await client.query(`alter table blockwork.${table} set (autovacuum_enabled = false)`);
    }
    await client.end();
  };

  it('that read or replace a record use its primary key, even without statistics', async () => {
    await withoutStatistics();
    await put(0, 2_000);
    const byId = 'Index Scan document_pkey';
    expect(await scansOf('select a.n', () => store.get('document', 'p', 'document-7'))).toEqual([byId]);
    expect(await scansOf('with asked', () => put(7, 8))).toContain(byId);
    expect(await scansOf('with asked', () => put(7, 8))).toEqual(
      expect.not.arrayContaining([expect.stringMatching(/ document_(?!pkey)/)]),
    );
    const receipts = Array.from({ length: 2_000 }, (_, at) => ({
      ...{ op: 'put' as const, kind: 'send-receipt' as const, partition: 'p' },
      value: { id: `receipt-${String(at)}`, request: '', tag: '', expires: 0, revision: 0 },
    }));
    await store.commit({ expect: {}, changes: receipts });
    expect(await scansOf('select a.n', () => store.get('send-receipt', 'p', 'none'))).toEqual([
      'Index Scan record_pkey',
    ]);
  });
});

const textOf = (statement: unknown): string =>
  typeof statement === 'string' ? statement : (statement as { text: string }).text;

/** The table scans of a plan, each with its index. */
function scansIn({ 'Node Type': type, 'Index Name': index = '', Plans = [] }: PlanNode): string[] {
  const isTable = type.includes('Scan') && !/CTE|Function|Subquery|Values/.test(type);
  return [...(isTable ? [`${type} ${index}`.trim()] : []), ...Plans.flatMap(scansIn)];
}
