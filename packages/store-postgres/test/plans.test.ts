import { randomUUID } from 'node:crypto';
import type { Change, Condition, RecordKind, RecordQuery } from '@blockwork/core/adapter';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { clustersOf } from '../src/commit/cluster.js';
import { CommitWriter } from '../src/commit/commit-statements.js';
import { unitOf } from '../src/commit/unit.js';
import { commitSession } from '../src/connection/sessions.js';
import { openPostgresStore, type PostgresStore } from '../src/index.js';
import { Anchors } from '../src/query/anchors.js';
import { RecordReader } from '../src/query/record-reader.js';
import { documentTable, recordTable, type Table } from '../src/schema/layout.js';
import { tablesIn } from '../src/schema/tables.js';
import { describeWithDatabase } from '../../../test/support/postgres/database.js';
import { Explainer } from './support/plans.js';

const tables = tablesIn(undefined);
/** Documents in the large policy. */
const size = 20_000;

const equal = (path: string, value: string): Condition => ({ path, op: 'eq', value });
const all = (...parts: Condition[]): Condition => ({ all: parts });

const credentials = equal('dataType', 'vc-documents');
const schema = equal('schema', '#schema-1');
const type = equal('type', 'report-1');
const isWaiting = equal('option.status', 'Waiting');
const notWaiting: Condition = { path: 'option.status', op: 'ne', value: 'Waiting' };
const owner = equal('owner', 'did:example:owner-7');

/** The document queries of published policies' sources and of blocks. */
const documentConditions: Readonly<Record<string, Condition>> = {
  'all of a collection': credentials,
  'a schema': all(credentials, schema),
  'a schema and a type': all(credentials, schema, type),
  'a schema, a type and a status': all(credentials, schema, type, isWaiting),
  'a schema, a type and every other status': all(credentials, schema, type, notWaiting),
  'somebody’s of a schema and a type': all(credentials, owner, schema, type),
  'somebody’s of a schema, a type and a status': all(credentials, owner, schema, type, isWaiting),
  'somebody’s of a schema, a type and every other status': all(credentials, owner, schema, type, notWaiting),
  'somebody’s of a schema': all(credentials, owner, schema),
  'somebody’s': all(credentials, owner),
  'a type': all(credentials, type),
  'a group’s of a schema': all(credentials, schema, equal('group', 'group-3')),
  'what is assigned to somebody': all(credentials, schema, equal('assignedTo', 'did:example:owner-3')),
  'what is assigned to several': all(credentials, equal('assignedTo', 'did:example:one-of-several')),
  'what is assigned to a group': all(credentials, equal('assignedToGroup', 'group-3')),
  'one id of a document': all(equal('document.id', 'urn:3'), credentials),
  'one hash': all(equal('hash', 'hash-3'), credentials),
  'some messages': { path: 'messageId', op: 'in', value: ['message-3', 'message-5'] },
  'one subject': all(credentials, equal('document.credentialSubject.0.id', 'subject-3')),
  'what refers to a subject': all(credentials, equal('document.credentialSubject.0.ref', 'subject-3')),
  'one record': all(equal('id', 'template-1-3'), credentials),
  'what comes from two sources': { any: [all(schema, type, isWaiting), all(schema, equal('type', 'report-2'))] },
};

/** The engine's queries for other records. */
const recordQuestions: readonly [name: string, kind: RecordKind, partition: string, query: RecordQuery][] = [
  ['memberships of somebody', 'membership', 'large', { where: equal('did', 'did-3') }],
  ['members of a group', 'membership', 'large', { where: equal('uuid', 'uuid-3') }],
  ['states of a document', 'document-state', 'large', { where: equal('documentId', 'document-3') }],
  [
    'entries of a block under a key',
    'block-entry',
    'large',
    { where: all(equal('key', 'key-3'), equal('tag', 'tag-3')) },
  ],
  [
    'completions of a block',
    'completion',
    'large',
    { where: all(equal('tag', 'tag-3'), { any: [equal('did', 'did-3'), equal('group', 'group-3')] }) },
  ],
  ['the journal, newest first', 'journal', 'large', { order: { path: 'id', direction: 'desc' }, limit: 10 }],
  [
    'the journal after an entry',
    'journal',
    'large',
    { where: { path: 'id', op: 'gt', value: 'template-9' }, limit: 10 },
  ],
  ['timers that are due next', 'timer', 'instance', { order: { path: 'due', direction: 'asc' }, limit: 20 }],
  ['timers of a policy', 'timer', 'instance', { where: equal('policyId', 'policy-3') }],
  ['messages to send', 'outbox', 'instance', { limit: 20 }],
  [
    'effects to settle',
    'settlement',
    'instance',
    { where: { path: 'policyId', op: 'nin', value: ['a', 'b'] }, limit: 20 },
  ],
  [
    'open requests',
    'request',
    'instance',
    { where: all(equal('status', 'NEW'), equal('direction', 'incoming')), limit: 20 },
  ],
  [
    'requests, the newest first',
    'request',
    'instance',
    { order: { path: 'receivedAt', direction: 'desc' }, limit: 20 },
  ],
  ['a conversation', 'request', 'instance', { where: equal('startMessageId', 'start-3') }],
  [
    'open requests that expire next',
    'request',
    'instance',
    {
      where: all(equal('status', 'NEW'), equal('direction', 'incoming')),
      order: { path: 'expiresAt', direction: 'asc' },
      limit: 20,
    },
  ],
  [
    'requests of somebody',
    'request',
    'instance',
    { where: { path: 'concerns', op: 'in', value: ['did-3', null] }, limit: 20 },
  ],
  [
    'lots of an account',
    'ledger-lot',
    'large',
    { where: all(equal('tokenId', 'token-0'), equal('accountId', 'account-3')) },
  ],
  [
    'what builds on a message',
    'ledger-message',
    'large',
    { where: { path: 'relationships', op: 'in', value: ['message-3', 'message-4'] } },
  ],
  ['messages of a topic', 'ledger-message', 'large', { where: equal('topicId', 't'), limit: 10 }],
  ['messages with a hash', 'ledger-message', 'large', { where: equal('hash', 'hash-3') }],
  ['the newest message', 'ledger-message', 'large', { order: { path: 'id', direction: 'desc' }, limit: 1 }],
  ['policies by tag', 'policy', 'instance', { where: equal('policyTag', 'tag-3'), limit: 1 }],
];

await describeWithDatabase('The database', (database) => {
  let store: PostgresStore;
  let explainer: Explainer;
  let reader: RecordReader;

  beforeAll(async () => {
    store = await openPostgresStore({ address: database.address(), readConnections: 1 });
    await fill(store, (text) => database.query(text));
    explainer = await Explainer.connect(database.address());
    const { run } = explainer;
    reader = new RecordReader({ tables, anchors: new Anchors(), run, inSnapshot: (work) => work(run) });
  });
  afterAll(() => Promise.all([store.close(), explainer.close()]));

  const used = new Set<string>();
  afterEach(() => {
    for (const { indexes } of explainer.take()) for (const index of indexes) used.add(index);
  });

  const expectNoScan = (): void => {
    for (const plan of explainer.plans) expect(plan.scanned, plan.text).toEqual([]);
  };
  const expectFewBlocks = (most: number): void => {
    for (const plan of explainer.plans) expect(plan.blocks, plan.text).toBeLessThan(most);
    expectNoScan();
  };

  describe('looks at few blocks for a page of', () => {
    for (const [name, where] of Object.entries(documentConditions)) {
      it(name, async () => {
        const page = await reader.find('document', 'large', { where, limit: 10 });
        expect(page.length).toBeGreaterThan(0);
        expectFewBlocks(400);
      });
    }
    it.each(['asc', 'desc'] as const)('documents by date, %s, and the next page', async (direction) => {
      const query = { where: all(credentials, schema, type), order: { path: 'createDate', direction }, limit: 10 };
      const first = await reader.find('document', 'large', query);
      const second = await reader.find('document', 'large', { ...query, offset: 10 });
      expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(20);
      expectFewBlocks(400);
    });
    it('documents at a large offset, after the previous page', async () => {
      const query = { where: credentials, limit: 10 };
      await reader.find('document', 'large', { ...query, offset: size / 2 });
      explainer.take();
      await reader.find('document', 'large', { ...query, offset: size / 2 + 10 });
      expectFewBlocks(100);
    });
    for (const [name, kind, partition, query] of recordQuestions) {
      it(name, async () => {
        expect((await reader.find(kind, partition, query)).length).toBeGreaterThan(0);
        expectFewBlocks(400);
      });
    }
  });

  it('has the newest records in the order of an index, so that older ones cost nothing', async () => {
    const newest = recordQuestions.filter(([, , , { where, order }]) => where === undefined && order !== undefined);
    expect(newest.length).toBeGreaterThan(3);
    for (const [, kind, partition, query] of newest) await reader.find(kind, partition, query);
    for (const { text, sorts } of explainer.plans) expect(sorts, text).toBe(false);
  });

  it('computes totals without reading the documents', async () => {
    for (const where of [
      undefined,
      credentials,
      all(credentials, schema, type, isWaiting),
      all(schema, type, notWaiting),
    ]) {
      expect(await reader.count('document', 'large', where)).toBeGreaterThan(0);
      for (const { text, indexes } of explainer.take()) {
        expect(text).toContain('tallied');
        expect(indexes.filter((index) => index.startsWith('document_'))).toEqual([]);
      }
    }
  });

  it('counts by an index what the tally does not cover', async () => {
    expect(await reader.count('document', 'large', all(credentials, owner, schema))).toBeGreaterThan(0);
    expectNoScan();
  });

  it('finds single and several records and revisions by key', async () => {
    await reader.get('document', 'large', 'template-1-3');
    await Promise.all([1, 2, 3].map((n) => reader.get('membership', 'large', `template-${n}`)));
    await Promise.all([1, 2, 3].map((n) => reader.revision(`policy-${n}`)));
    expectNoScan();
  });

  it('commits by key lookups only', async () => {
    await explainCommits(explainer);
    expectNoScan();
  });

  it('ends the leases of a node by an index', async () => {
    await explainer.explain({ text: `delete from ${tables.lease} where holder = $1`, values: ['node-3'] }, false);
    expectNoScan();
  });

  it('has no index that none of these needs, but for what keeps keys unique', async () => {
    const indexes = await database.query(
      `select i.indexrelid::regclass::text as name from pg_index i join pg_stat_user_indexes s using (indexrelid) where not i.indisprimary`,
    );
    const names = (indexes as { name: string }[]).map(({ name }) => name.replace(/^.*\./, ''));
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => !used.has(name))).toEqual([]);
  });
});

await describeWithDatabase('A database of few records', (database) => {
  it.each([0, 40])(
    'commits by key lookups only, so that the plan still does with many records: %i',
    async (records) => {
      const store = await openPostgresStore({ address: database.address() });
      const changes = Array.from({ length: records }, (_, n) => ({
        ...({ op: 'put', kind: 'document', partition: 'large', value: document(`template-${n}`, n) as never } as const),
      }));
      await store.commit({ expect: {}, changes });
      await store.close();
      await database.query('analyze');
      const explainer = await Explainer.connect(database.address(), commitSession);
      onTestFinished(() => explainer.close());
      await explainCommits(explainer);
      // The other statements are planned each time.
      const planned = explainer.plans.filter(({ text }) => text.startsWith('with asked'));
      for (const plan of planned) expect([...plan.scanned, ...plan.walked], plan.text).toEqual([]);
      expect(planned).toHaveLength(4);
    },
  );
});

await describeWithDatabase('A database that grows from nothing', (database) => {
  it('finds the document that a commit replaces by its key, whenever a connection plans that, since the plan outlives it', async () => {
    const store = await openPostgresStore({ address: database.address() });
    onTestFinished(() => store.close());
    await database.query('alter table blockwork.document set (autovacuum_enabled = false)');
    const used = new Map<string, number>();
    // The indexes get their second level at different sizes, which makes the key seem dearer than others for a while.
    for (let size = 0; size < 300; size += 6) {
      const changes = Array.from({ length: 6 }, (_, n) => ({
        ...({ op: 'put', kind: 'document', partition: 'large' } as const),
        value: document(randomUUID(), size + n) as never,
      }));
      await store.commit({ expect: {}, changes });
      const explainer = await Explainer.connect(database.address(), commitSession);
      await explainCommits(explainer);
      await explainer.close();
      const planned = explainer.plans.filter(({ text }) => text.startsWith('with asked'));
      for (const index of planned.flatMap(({ indexes }) => indexes)) used.set(index, size);
    }
    const ofDocuments = [...used].filter(([index]) => index.startsWith('document_'));
    expect(ofDocuments).toEqual([['document_pkey', 294]]);
  });
});

/** Of a commit, and of one that deletes. */
async function explainCommits(explainer: Explainer): Promise<void> {
  const put = (id: string): Change => ({
    op: 'put',
    kind: 'document',
    partition: 'large',
    value: document(id, 1) as never,
  });
  const changes: Change[] = [put('new'), { op: 'put', kind: 'token', partition: 'large', value: { id: 't' } as never }];
  const settle = { resolve: () => undefined, reject: () => undefined };
  const writer = new CommitWriter(tables);
  for (const more of [[], [{ op: 'delete', kind: 'document', partition: 'large', id: 'old' } as const]]) {
    const unit = unitOf([{ expect: { large: 1 }, changes: [...changes, ...more] }], settle);
    const { statements } = writer.statements('lane', 1, 'history', clustersOf([unit]));
    for (const statement of statements.filter(({ values }) => values.length > 0))
      await explainer.explain(statement, false);
  }
}

const document = (id: string, n: number): object => ({
  id,
  dataType: 'vc-documents',
  schema: `#schema-${n % 2}`,
  type: `report-${n % 3}`,
  owner: `did:example:owner-${n % 23}`,
  option: { status: n % 29 === 1 ? 'Waiting' : 'Approved' },
  document: { id: `urn:${n}`, credentialSubject: [{ id: `subject-${n}`, ref: `subject-${n - 1}` }] },
  createDate: new Date(1_750_000_000_000 + n * 60_000).toISOString(),
  ...(n === 7 && { assignedTo: ['did:example:another', 'did:example:one-of-several'] }),
  ...(n % 19 === 3 && { group: 'group-3', assignedTo: 'did:example:owner-3', assignedToGroup: 'group-3' }),
  messageId: `message-${n}`,
  hash: `hash-${n}`,
});

/** Fields of every kind at once: each kind uses its own. */
const record = (id: string, n: number): object => ({
  ...{
    id,
    did: `did-${n}`,
    uuid: `uuid-${n}`,
    documentId: `document-${n}`,
    created: `2026-${n}`,
    key: `key-${n}`,
    tag: `tag-${n % 5}`,
  },
  ...{
    group: `group-${n}`,
    policyId: `policy-${n}`,
    due: n,
    topic: 't',
    createdAt: n,
    status: n % 100 === 3 ? 'NEW' : 'COMPLETED',
  },
  ...{
    direction: 'incoming',
    startMessageId: `start-${n}`,
    expiresAt: n,
    receivedAt: n,
    concerns: `did-${n}`,
    tokenId: `token-${n % 3}`,
  },
  ...{
    accountId: `account-${n}`,
    relationships: [`message-${n}`],
    hash: `hash-${n}`,
    topicId: 't',
    policyTag: `tag-${n}`,
    owner: 'o',
  },
});

/** Writes through the store, which fills the columns, then multiplies the rows in SQL. */
async function fill(store: PostgresStore, query: (text: string) => Promise<unknown>): Promise<void> {
  const documents = Array.from({ length: 1000 }, (_, n) => document(`template-${n}`, n));
  const put = (kind: RecordKind, partition: string, value: object): Change =>
    ({ op: 'put', kind, partition, value }) as unknown as Change;
  await store.commit({ expect: { large: 0 }, changes: documents.map((value) => put('document', 'large', value)) });
  const kinds = [...new Map(recordQuestions.map(([, kind, partition]) => [kind, partition]))];
  const records = kinds.flatMap(([kind, partition]) =>
    Array.from({ length: 300 }, (_, n) => put(kind, partition, record(`template-${n}`, n))),
  );
  await store.commit({ expect: {}, changes: records });
  await query(
    `insert into ${tables.lease} select 'lease-' || n, 'node-' || n % 100, 0, null from generate_series(1, 3000) n`,
  );
  await query(`insert into ${tables.revision} select 'policy-' || n, n, n from generate_series(1, 3000) n`);
  await query(
    copies(
      documentTable,
      tables.document,
      ['message_id', 'hash', 'document_id', 'subject_id', 'subject_ref'],
      size / 1000,
    ),
  );
  await query(copies(recordTable, tables.record, ['k1'], 10));
  await query(
    `update ${tables.tally} t set n = c.n from (select schema, type, status, count(*) as n from ${tables.document} group by 1, 2, 3) c
     where (t.schema, t.type, t.status) = (c.schema, c.type, c.status)`,
  );
  await query('analyze');
}

/** Copies of every row with new ids and places, and new values in the columns that identify a single record. */
function copies(table: Table, name: string, own: readonly string[], times: number): string {
  const same = [
    ...table.address.filter((column) => column !== 'id'),
    ...table.keys,
    ...table.sorts,
    'unsorted',
    'elements',
    'name',
  ];
  const shared = same.filter((column) => !own.includes(column));
  return `insert into ${name} (id, place, body, ${[...own, ...shared].join(', ')})
    select id || '-' || n, place + n * 100000, replace(body, '"id":"' || id || '"', '"id":"' || id || '-' || n || '"'),
    ${[...own.map((column) => `${column} || '-' || n`), ...shared].join(', ')}
    from ${name}, generate_series(1, ${times - 1}) n`;
}
