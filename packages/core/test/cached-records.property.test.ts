/**
 * Nodes that keep records of a policy which they share: whatever they do in whichever order, units and reads give what they would
 * give one after another, straight from the store.
 */
import { MemoryStore, type DocumentRecord } from '@blockwork/core';
import type { ChangeSet, Condition, RecordKind, RecordQuery } from '@blockwork/core/adapter';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnswerCache } from '../src/catalog/index.js';
import {
  Executor,
  lanes,
  RecordCaches,
  revisionKeys,
  type UnitOfWork,
  type RecordReader,
} from '../src/transactions/index.js';
import { times } from '../../../test/support/repetitions.js';

const KEY = revisionKeys.policy.of('p');
const DEFINITION = revisionKeys.definition.of('p');

/** What a unit does after it has looked around, or a read. */
interface Step {
  readonly node: number;
  readonly does: 'add' | 'edit' | 'move' | 'remove' | 'define' | 'nothing' | 'throw' | 'read' | 'read text';
  readonly group: number;
  readonly id: number;
  readonly direction: 'desc' | null;
  readonly offset: number;
  readonly limit: number | null;
  /** Whether everything before it has ended. */
  readonly isLater: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  node: fc.constantFrom(0, 0, 0, 1, 2),
  does: fc.constantFrom(
    ...(['add', 'add', 'add', 'edit', 'move', 'remove', 'define', 'nothing', 'throw'] as const),
    ...(['read', 'read text', 'read text'] as const),
  ),
  group: fc.integer({ min: 0, max: 1 }),
  id: fc.integer({ min: 0, max: 3 }),
  direction: fc.constantFrom('desc', null),
  offset: fc.integer({ min: 0, max: 1 }),
  limit: fc.constantFrom(1, null),
  isLater: fc.boolean(),
});

/** A store whose every call begins and ends when the scheduler says so. */
class ScheduledStore extends MemoryStore {
  override readonly capabilities = { durable: true, shared: true };

  constructor(private readonly scheduler: fc.Scheduler) {
    super();
  }

  override async revision(key: string): Promise<number> {
    return this.#scheduled(() => super.revision(key));
  }
  override async get<Kind extends RecordKind>(kind: Kind, partition: string, id: string) {
    return this.#scheduled(() => super.get(kind, partition, id));
  }
  override async find<Kind extends RecordKind>(kind: Kind, partition: string, query?: RecordQuery) {
    return this.#scheduled(() => super.find(kind, partition, query));
  }
  override async count(kind: RecordKind, partition: string, where?: Condition) {
    return this.#scheduled(() => super.count(kind, partition, where));
  }
  override async commit(changeSet: ChangeSet): Promise<void> {
    return this.#scheduled(() => super.commit(changeSet));
  }
  override async commitChain(changeSets: readonly ChangeSet[]): Promise<void> {
    return this.#scheduled(() => super.commitChain(changeSets));
  }

  async #scheduled<T>(call: () => Promise<T>): Promise<T> {
    await this.scheduler.schedule(Promise.resolve());
    const answer = await call();
    await this.scheduler.schedule(Promise.resolve());
    return answer;
  }
}

const documentOf = (id: string, group: number, n: number): DocumentRecord =>
  ({ id, dataType: 'vc-documents', type: String(group), option: {}, document: { n } }) as unknown as DocumentRecord;

/** Everything that a unit or a read sees. */
async function look(records: RecordReader, { group, id, direction, offset, limit }: Step) {
  const where = { path: 'type', op: 'eq', value: String(group) } as const;
  const query: RecordQuery = {
    where,
    ...(direction && { order: { path: 'document.n', direction } }),
    offset,
    ...(limit !== null && { limit }),
  };
  const shared = await records.findShared?.('document', 'p', query);
  const documents = await records.find('document', 'p', query);
  const count = await records.count('document', 'p', where);
  const one = await records.get('document', 'p', `d${String(id)}`);
  const definition = await records.revision(DEFINITION);
  const digest = JSON.stringify([
    (shared ?? documents).map((each) => [each.id, each.document['n']]),
    documents.map((each) => [each.id, each.document['n']]),
    count,
    one?.document['n'],
    definition,
  ]);
  // What a caller does with its copy concerns nobody else.
  for (const each of [...documents, ...(one ? [one] : [])]) each.document['n'] = 'spoilt';
  return { digest, documents, count };
}

/** What the unit of the step changes; its answer, or its error, is what it saw. */
async function carryOut(unit: UnitOfWork, step: Step): Promise<string> {
  const { digest, documents, count } = await look(unit, step);
  const [first] = documents;
  const { does, id, group } = step;
  if (does === 'throw') throw new Error(digest);
  if (does === 'add' || does === 'define') unit.put('document', 'p', documentOf(`d${String(id)}`, group, count));
  if (first && does === 'edit') unit.put('document', 'p', documentOf(first.id, group, count + 10));
  if (first && does === 'move') unit.put('document', 'p', documentOf(first.id, 1 - group, count));
  if (first && does === 'remove') unit.delete('document', 'p', first.id);
  return digest;
}

/** One unit or read as it came to its end. */
interface Done {
  readonly step: Step;
  readonly seen: string;
  /** The revision that it began with; `null` for a read. */
  readonly revision: number | null;
  /** Revisions that were acknowledged to somebody before it was asked for, and that there were when it ended. */
  readonly from: number;
  readonly to: number;
}

async function play(steps: readonly Step[], scheduler: fc.Scheduler, tableRecords: number): Promise<readonly Done[]> {
  const store = new ScheduledStore(scheduler);
  let acknowledged = 0;
  const nodes = [0, 1, 2].map(() => {
    const caches = new RecordCaches({ keptRecordBytes: 1_000_000 }, { records: tableRecords, bytes: 100_000 });
    const commits = {
      committed: ({ expect: from }: ChangeSet) => void (acknowledged = Math.max(acknowledged, (from[KEY] ?? 0) + 1)),
    };
    const executor = new Executor({ store, commits, limits: { conflictRetries: 1000 }, caches });
    return {
      executor,
      answers: new AnswerCache(
        store,
        { answerCharacters: 1_000_000, rowCharacters: 1_000_000, pageBytes: 1_000_000 },
        caches,
      ),
    };
  });
  const done: Done[] = [];
  const begin = async (step: Step): Promise<void> => {
    const node = nodes[step.node];
    if (node === undefined) return;
    const from = acknowledged;
    const end = async (digest: string, revision: number | null): Promise<void> => {
      done.push({ step, seen: digest, revision, from, to: await MemoryStore.prototype.revision.call(store, KEY) });
    };
    if (step.does === 'read' || step.does === 'read text') {
      const answer = async (records: RecordReader) => {
        const { digest } = await look(records, step);
        return {
          tag: '',
          blockType: '',
          answer: digest,
          pure: true,
          definition: await records.revision(DEFINITION),
          tools: null,
        };
      };
      const { isLater: _isLater, node: _node, does: _does, ...query } = step;
      const question = {
        caller: { did: '', role: 'USER' as const },
        policyId: 'p',
        block: { tag: JSON.stringify(query) },
        query: {},
      };
      if (step.does === 'read') await end((await node.answers.read('p', answer)).answer as string, null);
      else await end(String(JSON.parse((await node.answers.text(question, answer)).text)), null);
      return;
    }
    const keys = step.does === 'define' ? [KEY, DEFINITION] : [KEY];
    let revision = 0;
    const work = (unit: UnitOfWork): Promise<string> => {
      revision = unit.expected(KEY);
      return carryOut(unit, step);
    };
    const digest = await node.executor.run(lanes.policy.of('p'), keys, work).then(
      ({ result }) => result,
      (error: unknown) => (error as Error).message,
    );
    await end(digest, revision);
  };
  const all: Promise<void>[] = [];
  const drive = async (): Promise<void> => {
    for (const each of steps) {
      if (each.isLater) await Promise.all(all);
      all.push(begin(each));
    }
    await Promise.all(all);
  };
  await scheduler.waitFor(drive());
  return done;
}

/** What each step sees at each revision, where the units that changed something run one after another. */
async function replay(done: readonly Done[]): Promise<(step: Step, revision: number) => Promise<string | undefined>> {
  const states: MemoryStore[] = [];
  const state = async (revision: number): Promise<MemoryStore> => {
    const store = new MemoryStore();
    const executor = new Executor({ store, commits: { committed: () => undefined }, limits: { conflictRetries: 0 } });
    for (let at = 0; at < revision; at += 1) {
      const unit = done.find((each) => each.revision === at && changes(each));
      if (unit === undefined) throw new Error(`Nobody has made revision ${String(at + 1)}.`);
      const keys = unit.step.does === 'define' ? [KEY, DEFINITION] : [KEY];
      await executor.run(lanes.policy.of('p'), keys, (work) => carryOut(work, unit.step));
    }
    return store;
  };
  const last = Math.max(0, ...done.map(({ to }) => to));
  for (let revision = 0; revision <= last; revision += 1) states.push(await state(revision));
  return async (step, revision) => {
    const store = states[revision];
    return store && (await look(store, step)).digest;
  };
}

/** Whether the unit has committed something. */
function changes({ step: { does }, seen: digest }: Done): boolean {
  if (does === 'add' || does === 'define') return true;
  if (!['edit', 'move', 'remove'].includes(does)) return false;
  return (JSON.parse(digest) as [unknown[]])[0].length > 0;
}

async function assertAsOneAfterAnother(done: readonly Done[]): Promise<void> {
  const seenAt = await replay(done);
  for (const { step, seen: digest, revision, from, to } of done) {
    if (revision !== null) {
      expect(revision).toBeGreaterThanOrEqual(from);
      expect(digest).toBe(await seenAt(step, revision));
    } else {
      const possible: (string | undefined)[] = [];
      for (let at = from; at <= to; at += 1) possible.push(await seenAt(step, at));
      expect(possible).toContain(digest);
    }
  }
}

describe('nodes that keep records of a policy', () => {
  it.each([
    ['whole tables', 1000],
    ['what was asked about tables that are too large', 0],
    ['tables that grow too large', 2],
  ])('give what one after another gives, with %s', async (_name, tableRecords) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 30 }), fc.scheduler(), async (steps, scheduler) => {
        await assertAsOneAfterAnother(await play(steps, scheduler, tableRecords));
      }),
      { numRuns: times(15, 60, 2000) },
    );
  });
});
