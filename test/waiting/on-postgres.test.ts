/** What waits at the blocks, counted by the database: the same numbers as in memory, for one statement a question where columns answer it. */
import { standardBlocks } from '@blockwork/blocks';
import { createEngine, MemoryStore, type Caller, type PolicyEngine, type PolicyStore } from '@blockwork/core';
import { openPostgresStore } from '@blockwork/store-postgres';
import { block, SimulatedClock, SimulatedTimers } from '@blockwork/testing';
import { Client } from 'pg';
import { afterEach, expect, it, vi } from 'vitest';
import { describeWithDatabase } from '../support/postgres/database.js';

const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const open = { permissions: ['ANY_ROLE'] };

const source = (tag: string, options: object) =>
  block('documentsSourceAddon', tag, { ...open, dataType: 'vc-documents', ...options });
const filter = (type: string, value: string) => ({ filters: [{ type, field: 'option.status', value }] });
const button = (tag: string, value: string) => ({
  ...{ tag, type: 'selector', field: 'option.status', value },
  filters: [{ type: 'not_in', field: 'option.kind', value: 'draft,odd' }],
});

const policy = {
  id: 'waits',
  name: 'Waits',
  config: block('interfaceContainerBlock', 'root', {
    ...open,
    children: [
      block('interfaceDocumentsSourceBlock', 'grid', {
        ...open,
        uiMetaData: { fields: [{ name: 'option.status', bindBlock: 'decide' }] },
        children: [
          source('present', filter('not_equal', 'Gone')),
          source('fresh', filter('equal', 'New')),
          source('latest', { hidePreviousVersions: true }),
        ],
      }),
      block('interfaceDocumentsSourceBlock', 'twin', { ...open, children: [source('again', filter('equal', 'New'))] }),
      block('buttonBlock', 'decide', {
        ...open,
        uiMetaData: { buttons: [button('yes', 'Approved'), button('no', 'Rejected')] },
      }),
      block('aggregateDocumentBlock', 'collect', { aggregateType: 'period' }),
    ],
  }),
};

/** Every question is about the status, which has a column. */
const byStatus = block('interfaceContainerBlock', 'root', {
  ...open,
  children: [
    ...['grid', 'twin'].map((tag) =>
      block('interfaceDocumentsSourceBlock', tag, {
        ...open,
        uiMetaData: { fields: [{ name: 'option.status', bindBlock: 'decide' }] },
        children: [source(`present in ${tag}`, filter('not_equal', 'Gone'))],
      }),
    ),
    block('interfaceDocumentsSourceBlock', 'news', {
      ...open,
      children: [source('fresh', filter('equal', 'New'))],
    }),
    block('buttonBlock', 'decide', {
      ...open,
      uiMetaData: { buttons: [{ tag: 'yes', type: 'selector', field: 'option.status', value: 'Approved' }] },
    }),
  ],
});

/** Of five, one each is approved, odd, gone, new, and without a status. */
const documents = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    id: `d${String(at)}`,
    owner: owner.did,
    option:
      [{ status: 'New' }, { status: 'Approved' }, { status: 'New', kind: 'odd' }, { status: 'Gone' }, {}][at % 5] ?? {},
    document: { at },
  }));

await describeWithDatabase('What waits at the blocks', (database) => {
  const engines: PolicyEngine[] = [];
  afterEach(async () => {
    vi.restoreAllMocks();
    await Promise.all(engines.splice(0).map((engine) => engine.close()));
  });

  const engineOn = async (store: PolicyStore, id: string, count: number): Promise<PolicyEngine> => {
    const clock = new SimulatedClock();
    // Nothing happens in the background.
    const engine = createEngine({ store, blocks: standardBlocks(), clock, timers: new SimulatedTimers(clock) });
    engines.push(engine);
    await engine.importPolicy(owner, { ...policy, id });
    await engine.program.documents.add(id, documents(count));
    return engine;
  };
  const counted = async (engine: PolicyEngine, id: string): Promise<object> => {
    const { items } = await engine.pendingWork.list(owner, id);
    return Object.fromEntries(items.map(({ tag, uuid: _, blockType: _type, ...counts }) => [tag, counts]));
  };
  /** The statements about documents that leave for the database meanwhile. */
  const statementsOf = async (work: () => Promise<unknown>): Promise<string[]> => {
    const query = vi.spyOn(Client.prototype, 'query').mockName('query');
    await work();
    const texts = (query.mock.calls as unknown[][]).map(([statement]) =>
      typeof statement === 'string' ? statement : (statement as { text: string }).text,
    );
    query.mockRestore();
    return texts.filter((text) => /"\.(?:document|tally)\b/.test(text));
  };

  it('are the numbers that the memory counts', async () => {
    const address = database.address();
    const engine = await engineOn(await openPostgresStore({ address }), 'right', 50);
    const counts = await counted(engine, 'right');
    expect(counts).toEqual(await counted(await engineOn(new MemoryStore(), 'right', 50), 'right'));
    expect(counts).toEqual({
      root: {},
      grid: { documents: 50 },
      present: { documents: 40 },
      fresh: { documents: 20 },
      latest: { documents: 50 },
      twin: { documents: 20 },
      again: { documents: 20 },
      decide: { decisions: 30 },
      collect: { aggregation: 0 },
    });
  });

  it('take one statement for each source that is asked about the status, which blocks share, however many documents there are', async () => {
    const engine = await engineOn(await openPostgresStore({ address: database.address() }), 'warm', 5);
    // More than a node keeps: what is in a small policy it knows without asking.
    for (const [id, count] of [
      ['some', 1_500],
      ['many', 3_000],
    ] as const) {
      await engine.importPolicy(owner, { id, name: id, config: byStatus });
      await engine.program.documents.add(id, documents(count));
      const statements = await statementsOf(() => counted(engine, id));
      // The present ones, those that are new, and those to be decided, which two sources have: of the second what the first has not.
      // The twins have the same questions.
      expect({ id, statements: statements.map((text) => /"\.(\w+)/.exec(text)?.[1]) }).toEqual({
        id,
        statements: ['tally', 'tally', 'tally', 'tally'],
      });
    }
  });
});
