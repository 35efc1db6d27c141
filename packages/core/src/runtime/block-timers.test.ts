import { BlockworkError } from '../errors.js';
import { MemoryStore } from '../memory/store/memory-store.js';
import { defaultPolicyFileLimits } from '../policy/file/limits/limits.js';
import { silentLogger } from '../defaults/silent-logger.js';
import { defineBlock } from '@blockwork/core/block';
import { INSTANCE, type PolicyStatus, type RetryTimer, type TickTimer, type Timer } from '@blockwork/core/records';
import { SequentialIds, SimulatedClock } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { blockRegistry, CompiledPolicyCache, PolicyImporter, ToolLibrary } from '../catalog/index.js';
import { RunLog } from '../context/index.js';
import { CommitListeners, Executor, lanes, revisionKeys } from '../transactions/index.js';
import { BlockTimers } from './block-timers.js';

const HOUR = 3_600_000;
const P = 'policy-1';

const hourly = defineBlock({
  type: 'hourly',
  title: '',
  description: '',
  kind: 'server',
  timetable: () => ({ next: (after) => (Math.floor(after / HOUR) + 1) * HOUR }),
});
const root = defineBlock({ type: 'root', title: '', description: '', kind: 'container', children: 'any' });

const config = (...tags: string[]) => ({
  blockType: 'root',
  tag: 'root',
  children: tags.map((tag) => ({ blockType: 'hourly', tag })),
});

/** A published policy with a block that has a timetable, and a workflow that notes what it is given. */
async function world() {
  const store = new MemoryStore();
  const clock = new SimulatedClock(10 * HOUR);
  const ids = new SequentialIds();
  const registry = blockRegistry([hourly, root]);
  const executor = new Executor({ store, commits: new CommitListeners(), limits: { conflictRetries: 3 } });
  const limits = defaultPolicyFileLimits;
  const tools = new ToolLibrary({ store, executor, toolSource: null, clock, ids, logger: silentLogger, limits });
  const policies = new CompiledPolicyCache({ store, registry, tools, clock, limits: { openPolicies: 10 } });
  const importer = new PolicyImporter({ executor, clock, ids, tools, limits });
  const source = { id: P, name: 'Hourly', config: config('clockwork') };
  const { record } = await importer.add(source, 'did:example:owner');
  const definition = revisionKeys.definition.of(P);
  const become = async (status: PolicyStatus): Promise<void> => {
    await store.commit({
      expect: { [definition]: await store.revision(definition) },
      changes: [{ op: 'put', kind: 'policy', partition: INSTANCE, value: { ...record, status } }],
    });
  };
  await become('PUBLISH');
  const noted: string[] = [];
  const ran = (line: string) => {
    noted.push(line);
    return Promise.resolve({ tag: '', answer: {}, log: new RunLog() });
  };
  const workflow = {
    tick: (_: unknown, policyId: string, tag: string, due: string) => ran(`tick ${policyId} ${tag} ${due}`),
    retry: (_: unknown, { tag, attempt }: RetryTimer) => ran(`retry ${tag} ${String(attempt)}`),
  };
  const blockTimers = new BlockTimers({
    executor,
    policies,
    workflow,
    registry,
    clock,
    limits: {
      hops: 100,
      runMs: 1000,
      unitDocuments: 100,
      unitBytes: 1e6,
      readMs: 1000,
      retryMs: 5000,
      retries: 3,
      notifications: 10,
      documentBytes: 1e6,
      pageBytes: 1e6,
    },
  });
  const put = async <T extends Timer>(value: T): Promise<T> => {
    await store.commit({ expect: {}, changes: [{ op: 'put', kind: 'timer', partition: INSTANCE, value }] });
    return value;
  };
  const timersLeft = () => store.find('timer', INSTANCE);
  const journal = () => store.find('journal', P);
  const start = async () => {
    const policy = await policies.open(P);
    await executor.run(lanes.policy.of(P), [revisionKeys.policy.of(P)], (unit) => {
      blockTimers.startTicks(unit, policy);
      return Promise.resolve();
    });
  };
  return { store, clock, blockTimers, noted, put, timersLeft, journal, start, become };
}

const tick = (due: number, tag = 'clockwork'): TickTimer => ({
  id: `${P}/tick/${tag}`,
  type: 'tick',
  policyId: P,
  due,
  tag,
});
const retry = (attempt: number, tag = 'clockwork'): RetryTimer => {
  const event = { input: 'RunEvent', output: '', source: 'root', data: null, user: { did: 'did:x', group: null } };
  return { id: `${P}/retry/1`, type: 'retry', policyId: P, due: 10 * HOUR, tag, attempt, event };
};

describe('the timers of blocks', () => {
  it('begin with the next moment of each timetable', async () => {
    const { start, timersLeft } = await world();
    await start();
    expect(await timersLeft()).toEqual([tick(11 * HOUR)]);
  });

  it('tick a block once for all that was missed, and move on to its next moment', async () => {
    const { blockTimers, clock, noted, put, timersLeft } = await world();
    const timer = await put(tick(11 * HOUR));
    clock.advance('5h');
    await blockTimers.carryOut(timer);
    expect(noted).toEqual([`tick ${P} clockwork 1970-01-01T11:00:00.000Z`]);
    expect(await timersLeft()).toEqual([tick(16 * HOUR)]);
  });

  it('retry an event and delete the timer', async () => {
    const { blockTimers, noted, put, timersLeft } = await world();
    await blockTimers.carryOut(await put(retry(2)));
    expect([noted, await timersLeft()]).toEqual([['retry clockwork 2'], []]);
  });

  it('do nothing where the timer was deleted or moved in the meantime', async () => {
    const { blockTimers, noted, put, timersLeft } = await world();
    await blockTimers.carryOut(retry(1));
    const moved = await put(tick(12 * HOUR));
    await blockTimers.carryOut(tick(11 * HOUR));
    expect([noted, await timersLeft()]).toEqual([[], [moved]]);
  });

  it('are deleted where the policy no longer has the block', async () => {
    const { blockTimers, noted, put, timersLeft } = await world();
    await blockTimers.carryOut(await put(tick(10 * HOUR, 'gone')));
    await blockTimers.carryOut(await put(retry(1, 'gone')));
    expect([noted, await timersLeft()]).toEqual([[], []]);
  });

  it.each<PolicyStatus>(['DRY-RUN', 'PUBLISH', 'DEMO'])('tick while the policy is %s', async (status) => {
    const { blockTimers, noted, put, timersLeft, become } = await world();
    await become(status);
    await blockTimers.carryOut(await put(tick(10 * HOUR)));
    expect([noted, await timersLeft()]).toEqual([[expect.stringMatching(/^tick/)], [tick(11 * HOUR)]]);
  });

  it.each<PolicyStatus>(['DRAFT', 'PUBLISH_ERROR', 'DISCONTINUED', 'VIEW'])(
    'tick nothing while the policy is %s, where they are deleted',
    async (status) => {
      const { blockTimers, noted, put, timersLeft, become } = await world();
      await become(status);
      await blockTimers.carryOut(await put(tick(10 * HOUR)));
      expect([noted, await timersLeft()]).toEqual([[], []]);
    },
  );

  it('wait for the next moment after a tick that failed, and record the failure', async () => {
    const { blockTimers, put, timersLeft, journal } = await world();
    const error = new BlockworkError('POLICY_UNKNOWN', { facts: { policyId: 'x' } });
    await blockTimers.giveUp(await put(tick(10 * HOUR)), error);
    expect(await timersLeft()).toEqual([tick(11 * HOUR)]);
    expect(await journal()).toMatchObject([
      { cause: { type: 'tick', tag: 'clockwork' }, warnings: [{ tag: 'clockwork', code: 'POLICY_UNKNOWN' }] },
    ]);
  });

  it('postpone a retry that failed until its attempts are used up', async () => {
    const { blockTimers, put, timersLeft, journal } = await world();
    await blockTimers.giveUp(await put(retry(3)), new TypeError('a bug'));
    const [postponed] = await timersLeft();
    expect(postponed).toEqual({ ...retry(4), due: 10 * HOUR + 5000 });
    await blockTimers.giveUp(postponed as RetryTimer, new TypeError('a bug'));
    expect(await timersLeft()).toEqual([]);
    expect((await journal()).map(({ warnings }) => warnings[0])).toEqual([
      { tag: 'clockwork', code: 'INTERNAL', message: 'a bug', action: 'retry' },
      { tag: 'clockwork', code: 'INTERNAL', message: 'a bug' },
    ]);
  });

  it('leave the next moment of a block alone that is ticked by hand', async () => {
    const { blockTimers, noted, put, timersLeft } = await world();
    const timer = await put(tick(11 * HOUR));
    await blockTimers.tickNow(P, 'clockwork');
    expect([noted, await timersLeft()]).toEqual([[`tick ${P} clockwork 1970-01-01T10:00:00.000Z`], [timer]]);
    await expect(blockTimers.tickNow(P, 'nobody')).rejects.toMatchObject({ code: 'BLOCK_UNKNOWN' });
  });
});
