/** The views for reporting: what they show of records, whom they can be given to, and that they are as documented. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createReportingViews, openPostgresStore, printReportingViews } from '../src/index.js';
import { describeWithDatabase } from '../../../test/support/postgres/database.js';

const at = '2026-03-01T10:00:00.000Z';
const policy = { id: 'p', uuid: 'u', name: 'Sunlight', version: '1.0.0', status: 'PUBLISH', owner: 'did:example:r' };
const document = {
  id: 'd',
  policyId: 'p',
  dataType: 'vc-documents',
  type: 'report',
  schema: '#report',
  owner: 'did:example:alice',
  option: { status: 'Approved' },
  createDate: at,
  updateDate: at,
  document: { credentialSubject: [{ site: 'Hilltop', kilowattHours: 12.5 }] },
};
const records = [
  { kind: 'policy', partition: 'instance', value: { ...policy, topicId: '0.0.1', createDate: at } },
  { kind: 'document', partition: 'p', value: document },
  {
    kind: 'membership',
    partition: 'p',
    value: {
      id: 'm',
      did: 'did:example:alice',
      role: 'Producer',
      uuid: 'g',
      groupName: 'All',
      active: true,
      createDate: at,
    },
  },
  { kind: 'ledger-token', partition: 'p', value: { id: '0.0.5', tokenName: 'Credit', tokenSymbol: 'C', decimals: 2 } },
  {
    kind: 'ledger-relation',
    partition: 'p',
    value: { id: 'r', tokenId: '0.0.5', accountId: '0.0.9', balance: '90071992547409931250' },
  },
  {
    kind: 'ledger-effect',
    partition: 'p',
    value: {
      id: 'e',
      at,
      type: 'mint',
      tokenId: '0.0.5',
      accountId: '0.0.9',
      units: '1250',
      amount: '12.50',
      memo: '',
    },
  },
  { kind: 'ledger-effect', partition: 'p', value: { id: 'e2', at, type: 'associate', tokenId: '0.0.5' } },
  {
    kind: 'journal',
    partition: 'p',
    value: {
      id: '000000000001',
      at,
      cause: { type: 'send', tag: 'report', did: 'did:example:alice', group: null },
      documents: { added: ['d'], changed: [], removed: [] },
      events: [],
      effects: ['e', 'e2'],
      warnings: [],
    },
  },
];

await describeWithDatabase('The views for reporting', (database) => {
  const address = database.address();
  // Roles are those of the server, not of the database.
  const role = `reader_${randomUUID().replaceAll('-', '')}`;
  const rows = (view: string): Promise<Record<string, unknown>[]> =>
    database.query(`select * from blockwork_report.${view}`);
  const put = async (values: readonly object[]): Promise<void> => {
    const store = await openPostgresStore({ address });
    await store.commit({ expect: {}, changes: values.map((each) => ({ op: 'put', ...each }) as never) });
    await store.close();
  };
  beforeAll(async () => {
    await put(records);
    await createReportingViews({ address });
  });
  afterAll(() => database.query(`drop role if exists ${role}`));

  it('show policies, documents, members, mints, balances and the journal', async () => {
    const date = new Date(at);
    expect(await rows('policies')).toMatchObject([
      { policy_id: 'p', name: 'Sunlight', status: 'PUBLISH', created_at: date },
    ]);
    expect(await rows('documents')).toMatchObject([
      {
        policy_id: 'p',
        document_id: 'd',
        collection: 'vc-documents',
        type: 'report',
        schema: '#report',
        status: 'Approved',
        owner: 'did:example:alice',
        owner_group: null,
        updated_at: date,
        subject: { site: 'Hilltop', kilowattHours: 12.5 },
        options: { status: 'Approved' },
      },
    ]);
    expect(await rows('members')).toMatchObject([
      { policy_id: 'p', role: 'Producer', is_active: true, joined_at: date },
    ]);
    expect(await rows('mints')).toMatchObject([{ effect_id: 'e', amount: '12.50', units: '1250', minted_at: date }]);
    expect(await rows('balances')).toMatchObject([
      { token_symbol: 'C', account_id: '0.0.9', units: '90071992547409931250', amount: '900719925474099312.50' },
    ]);
    expect(await rows('journal')).toMatchObject([
      {
        entry_id: '000000000001',
        cause: 'send',
        block_tag: 'report',
        documents_added: 1,
        documents_changed: 0,
        ledger_effects: 2,
      },
    ]);
  });

  it('answer what a report asks', async () => {
    const [sum] = await database.query(
      `select subject ->> 'site' as site, sum((subject ->> 'kilowattHours')::numeric) as total
       from blockwork_report.documents where policy_id = 'p' and status = 'Approved' group by 1`,
    );
    expect(sum).toEqual({ site: 'Hilltop', total: '12.5' });
  });

  it('show texts that PostgreSQL has no characters for, and leave those that only look like it', async () => {
    const texts = {
      nul: 'a\u0000\u0000b',
      lone: '\ud800!',
      written: String.raw`a\u0000`,
      pair: '😀',
      line: '\u2028\u001f',
    };
    await put([
      { kind: 'document', partition: 'odd', value: { ...document, document: { credentialSubject: [texts] } } },
    ]);
    const [row] = await database.query(`select subject from blockwork_report.documents where policy_id = 'odd'`);
    expect(row).toEqual({ subject: { ...texts, nul: 'a\ufffd\ufffdb', lone: '\ufffd!' } });
  });

  it('can be given to a role that sees nothing else', async () => {
    await database.query(`create role ${role} login;
      grant usage on schema blockwork_report to ${role};
      grant select on all tables in schema blockwork_report to ${role}`);
    const own = new URL(address);
    own.username = role;
    const reader = new pg.Client({ connectionString: own.href });
    await reader.connect();
    try {
      expect((await reader.query('select 1 from blockwork_report.mints')).rowCount).toBe(1);
      await expect(reader.query('select 1 from blockwork.document')).rejects.toThrow('permission denied');
      await expect(reader.query('delete from blockwork_report.mints')).rejects.toThrow('cannot delete from view');
      // Updated views keep what was granted.
      await createReportingViews({ address });
      expect((await reader.query('select 1 from blockwork_report.mints')).rowCount).toBe(1);
    } finally {
      await reader.end();
      await database.query(`drop owned by ${role}`);
    }
  });

  it('are the same if the printed SQL is run by hand, also over a store and in a schema with other names', async () => {
    const columns = (schema: string): Promise<object[]> =>
      database.query(
        `select table_name, column_name, data_type from information_schema.columns where table_schema = $1 order by 1, ordinal_position`,
        [schema],
      );
    await (await openPostgresStore({ address, schema: 'second' })).close();
    await database.query(printReportingViews({ schema: 'second', into: 'figures' }));
    const shown = await columns('figures');
    expect(shown.length).toBeGreaterThan(40);
    expect(shown).toEqual(await columns('blockwork_report'));
    expect(await database.query('select * from figures.documents')).toEqual([]);
  });

  it('have the columns of docs/reporting.md', async () => {
    const page = await readFile(new URL('../../../docs/reporting.md', import.meta.url), 'utf8');
    const described = [...page.matchAll(/^### `(\w+)`$([\s\S]*?)(?=^##|$(?![\s\S]))/gm)].flatMap(
      ([, view, section = '']) =>
        [...section.matchAll(/^\| `(\w+)`\s+\| ([a-z ]+?)\s+\|/gm)].map(([, column, type]) => [view, column, type]),
    );
    const columns = await database.query(
      `select table_name, column_name, data_type from information_schema.columns where table_schema = 'blockwork_report'`,
    );
    const shown = columns.map((row) =>
      Object.values(row).map((value) => String(value).replace('timestamp with time zone', 'timestamptz')),
    );
    expect(described.toSorted()).toEqual(shown.toSorted());
  });

  it('refuses names that are no schemas', async () => {
    expect(() => printReportingViews({ into: 'a"; drop table x' })).toThrow('into');
    await expect(createReportingViews({ address, into: 'pg_report' })).rejects.toThrow('into');
  });
});
