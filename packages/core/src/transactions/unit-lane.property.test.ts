/**
 * Histories of units that stand on each other: whatever becomes of their commits, everything that was given is what one unit after
 * another would have given, each once.
 */
import { isBlockworkError } from '../errors.js';
import { MemoryStore } from '../memory/store/memory-store.js';
import type { DocumentRecord } from '../records/kinds.js';
import type { ChangeSet, Order } from '@blockwork/core/adapter';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { turn } from '../../test/background.js';
import { SlowStore } from '../../test/slow-store.js';
import { RecordCaches } from './cache/record-caches.js';
import { Executor } from './executor.js';
import { lanes, revisionKeys } from './revision-keys.js';
import { UnitOfWork } from './unit-of-work.js';

const KEY = revisionKeys.policy.of('p');
const LANE = lanes.policy.of('p');

/** What a unit does: looks at a list, then changes something, answers or throws. */
interface Step {
  readonly does: 'add' | 'edit' | 'move' | 'remove' | 'read' | 'throw';
  readonly group: number;
  readonly id: number;
  readonly order: Order['direction'] | null;
  readonly offset: number;
  readonly limit: number | null;
}

const step: fc.Arbitrary<Step> = fc.record({
  does: fc.constantFrom('add', 'add', 'edit', 'move', 'remove', 'read', 'throw'),
  group: fc.integer({ min: 0, max: 1 }),
  id: fc.integer({ min: 0, max: 4 }),
  order: fc.constantFrom('asc', 'desc', null),
  offset: fc.constantFrom(0, 0, 0, 1, 1, 2, 5),
  limit: fc.constantFrom(1, 3, null),
});

type Event =
  | { readonly type: 'unit'; readonly step: Step }
  | { readonly type: 'apply' | 'apply late' | 'acknowledge' | 'fail' | 'foreign' | 'wait' }
  | { readonly type: 'die'; readonly applied: number };

const simple = (type: 'apply' | 'apply late' | 'acknowledge' | 'fail' | 'foreign' | 'wait') => fc.constant({ type });
const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 12, arbitrary: step.map((each) => ({ type: 'unit' as const, step: each })) },
  { weight: 4, arbitrary: simple('apply') },
  { weight: 2, arbitrary: simple('apply late') },
  { weight: 2, arbitrary: simple('acknowledge') },
  { weight: 4, arbitrary: simple('wait') },
  { weight: 1, arbitrary: simple('fail') },
  { weight: 1, arbitrary: simple('foreign') },
);
const history = fc.record({
  events: fc.array(event, { minLength: 5, maxLength: 40 }),
  death: fc.option(fc.record({ at: fc.nat({ max: 40 }), applied: fc.nat({ max: 4 }) }), { nil: null, freq: 3 }),
  hasSlowReads: fc.boolean(),
  poison: fc.option(fc.nat({ max: 20 }), { nil: null }),
  /** How many records of a table are cached; `null` if the store is not cached. */
  cached: fc.constantFrom(null, 1, 3, 100),
});

const documentOf = (id: string, group: number | string, n: number): DocumentRecord =>
  ({ id, dataType: 'vc-documents', type: String(group), option: {}, document: { n } }) as unknown as DocumentRecord;

/** Thrown by units that mean to. */
class Meant extends Error {
  constructor(
    readonly seen: string,
    readonly revision: number,
  ) {
    super(seen);
  }
}

/** The work of a unit: it sees only what it reads, so the same state gives the same answer. */
async function carryOut(unit: UnitOfWork, number: number, step: Step): Promise<{ seen: string; revision: number }> {
  const where = { path: 'type', op: 'eq', value: String(step.group) } as const;
  // First: a list may have to wait until everything below it is durable.
  const count = await unit.count('document', 'p', where);
  const rows = await unit.find('document', 'p', {
    where,
    ...(step.order && { order: { path: 'document.n', direction: step.order } }),
    offset: step.offset,
    ...(step.limit !== null && { limit: step.limit }),
  });
  const one = await unit.get('document', 'p', `d${step.id}`);
  const digest = JSON.stringify([rows.map(({ id, document }) => [id, document['n']]), count, one?.document['n']]);
  const revision = unit.expected(KEY);
  const [first] = rows;
  if (step.does === 'throw') throw new Meant(digest, revision);
  if (step.does === 'read') return { seen: digest, revision };
  const write = (value: DocumentRecord, isNew: boolean): void =>
    isNew ? unit.putNew('document', 'p', value) : unit.put('document', 'p', value);
  if (step.does === 'add') write(documentOf(`d${step.id}`, step.group, count), one === undefined);
  if (step.does === 'edit' && first) {
    unit.put('document', 'p', documentOf(first.id, step.group, Number(first.document['n']) + 1));
  }
  if (step.does === 'move' && first) unit.put('document', 'p', documentOf(first.id, 1 - step.group, count));
  if (step.does === 'remove' && first) unit.delete('document', 'p', first.id);
  // Names the unit in what it commits, where no list shows it.
  write(documentOf(`log-${String(number)}`, 'log', number), true);
  return { seen: digest, revision };
}

const unitsIn = ({ changes }: ChangeSet): number[] =>
  changes.flatMap((change) =>
    change.op === 'put' && change.value.id.startsWith('log-') ? [Number(change.value.id.slice(4))] : [],
  );

interface Given {
  readonly number: number;
  readonly step: Step;
  outcome: { seen: string; revision: number; isChange: boolean } | { error: unknown } | null;
}

async function play({
  events,
  death,
  hasSlowReads,
  poison,
  cached,
}: typeof history extends fc.Arbitrary<infer T> ? T : never) {
  const store = new SlowStore();
  const caches = cached && new RecordCaches({ keptRecordBytes: 1_000_000 }, { records: cached, bytes: 100_000 });
  const commits = { committed: () => undefined };
  const executor = new Executor({ store, commits, limits: { conflictRetries: 100 }, ...(caches && { caches }) });
  store.hasSlowReads = hasSlowReads;
  store.refuses = (changeSet) => poison !== null && unitsIn(changeSet).includes(poison);
  const storeCommits: Given[] = [];
  const acknowledged: (() => void)[] = [];
  let foreigners = 0;
  const begin = (each: Step): void => {
    const one: Given = { number: storeCommits.length, step: each, outcome: null };
    storeCommits.push(one);
    void executor
      .run(LANE, [KEY], (unit) => carryOut(unit, one.number, each))
      .then(
        async ({ result, changes }) => {
          one.outcome = { ...result, isChange: changes > 0 };
          // What it has seen and done is durable by now.
          const visible = await store.revision(KEY).catch(() => Infinity);
          expect(visible).toBeGreaterThanOrEqual(result.revision + (changes > 0 ? 1 : 0));
        },
        (error: unknown) => {
          one.outcome =
            error instanceof Meant ? { seen: error.seen, revision: error.revision, isChange: false } : { error };
        },
      );
  };
  for (const [at, each] of events.entries()) {
    if (death?.at === at) {
      await store.die(death.applied);
      break;
    }
    if (each.type === 'unit') begin(each.step);
    else if (each.type === 'wait') for (let n = 0; n < 3; n += 1) await turn();
    else if (each.type === 'apply') await store.apply();
    else if (each.type === 'apply late') acknowledged.push(await store.apply(true));
    else if (each.type === 'acknowledge') acknowledged.shift()?.();
    else if (each.type === 'fail') await store.fail();
    else if (each.type === 'foreign') {
      const changes = [
        { op: 'put', kind: 'document', partition: 'p', value: documentOf(`d${String(foreigners % 5)}`, 0, 50) },
      ] as const;
      foreigners += 1;
      const number = await store.revision(KEY);
      await store.foreign({ expect: { [KEY]: number }, changes });
    }
    await turn();
  }
  while (storeCommits.some(({ outcome }) => outcome === null)) {
    for (const settle of acknowledged.splice(0)) settle();
    await store.apply();
    await turn();
  }
  await executor.idle();
  return { store, given: storeCommits };
}

/** Carries out the same, one after another, and compares what each has given. */
async function examine(
  { store, given: storeCommits }: { store: SlowStore; given: Given[] },
  hasDied: boolean,
): Promise<void> {
  const applied = store.applied.flatMap(unitsIn);
  expect(new Set(applied).size).toBe(applied.length);
  for (const { number, outcome } of storeCommits) {
    expect(outcome).not.toBeNull();
    if (outcome === null) continue;
    if ('error' in outcome) {
      expect(isBlockworkError(outcome.error, 'STORE_UNAVAILABLE')).toBe(true);
      if (!hasDied) expect(applied).not.toContain(number);
    } else if (outcome.isChange) expect(applied).toContain(number);
  }
  const replay = new MemoryStore();
  const at = (revision: number) =>
    storeCommits.filter(({ outcome }) => outcome && 'seen' in outcome && outcome.revision === revision);
  for (let revision = 0; revision <= store.applied.length; revision += 1) {
    const changeSet = store.applied[revision];
    for (const { number, step: each, outcome } of at(revision)) {
      const again = await carryOut(await UnitOfWork.begin(replay, [KEY]), number, each).catch((error: unknown) => {
        if (error instanceof Meant) return error;
        throw error;
      });
      expect(again.seen).toBe(outcome && 'seen' in outcome ? outcome.seen : '');
    }
    if (changeSet === undefined) break;
    const [number] = unitsIn(changeSet);
    const author = storeCommits.find((each) => each.number === number);
    if (author === undefined) await replay.commit(changeSet);
    else {
      const unit = await UnitOfWork.begin(replay, [KEY]);
      await carryOut(unit, author.number, author.step);
      expect(unit.changeSet()).toEqual(changeSet);
      await replay.commit(changeSet);
    }
  }
}

it('units that stand on each other give what one after another would, whatever becomes of their commits', async () => {
  let largest = 0;
  await fc.assert(
    fc.asyncProperty(history, async (each) => {
      const played = await play(each);
      largest = Math.max(largest, played.store.largest);
      await examine(played, each.death !== null);
    }),
    { numRuns: 500 },
  );
  expect(largest).toBeGreaterThan(3);
});

it('a unit that changes nothing counts only if the commits written with it stand on what it has read', async () => {
  // A stranger's commit arrives between the reads of the unit that throws; the next unit begins after it, and both are in one group.
  const counterexample = {
    events: [
      { type: 'unit', step: { does: 'add', group: 0, id: 1, order: 'asc', offset: 0, limit: 1 } },
      { type: 'apply late' },
      { type: 'foreign' },
      { type: 'unit', step: { does: 'throw', group: 0, id: 0, order: 'asc', offset: 0, limit: 1 } },
      { type: 'unit', step: { does: 'add', group: 1, id: 0, order: 'asc', offset: 0, limit: 1 } },
      { type: 'unit', step: { does: 'add', group: 0, id: 0, order: 'asc', offset: 0, limit: 1 } },
      { type: 'wait' },
      { type: 'unit', step: { does: 'add', group: 0, id: 0, order: 'asc', offset: 0, limit: 1 } },
      { type: 'unit', step: { does: 'add', group: 0, id: 0, order: 'asc', offset: 0, limit: 1 } },
      { type: 'apply' },
      { type: 'apply' },
    ],
    death: { at: 6, applied: 0 },
    hasSlowReads: false,
    poison: null,
    cached: null,
  } as const;
  await examine(await play(counterexample as never), true);
});
