import { BlockworkError } from '../errors.js';
import { INSTANCE, type RemoteRequest } from '@blockwork/core/records';
import { describe, expect, it } from 'vitest';
import { simulatedWorld, turn } from '../../test/background.js';
import { requestRow } from '../../test/request-row.js';
import { type ApprovalRule, AutoApproval } from './auto-approval.js';

const closed = (messageId: string) =>
  new BlockworkError('REQUEST_CLOSED', { facts: { messageId, status: 'REJECTED' } });
const unavailable = () => new BlockworkError('STORE_UNAVAILABLE', { facts: { reason: 'the test says so' } });

/** Auto-approval over a store; an approval closes the row, unless the test has it fail. */
function world(rule: ApprovalRule | null = () => true) {
  const around = simulatedWorld();
  const { store } = around;
  const considered: string[] = [];
  const approved: string[] = [];
  const failures = new Map<string, Error>();
  const put = async (...rows: RemoteRequest[]): Promise<void> => {
    const changes = rows.map((value) => ({ op: 'put', kind: 'request', partition: INSTANCE, value }) as const);
    await store.commit({ expect: {}, changes });
    auto.committed({ expect: {}, changes });
  };
  const approveByRule = async (id: string): Promise<void> => {
    const failure = failures.get(id);
    if (failure !== undefined) throw failure;
    approved.push(id);
    await put(requestRow({ id, status: 'COMPLETED' }));
  };
  const approveOnArrival = (request: RemoteRequest): Promise<RemoteRequest> => {
    const failure = failures.get(request.id);
    if (failure !== undefined) return Promise.reject(failure);
    approved.push(`${request.id} on arrival`);
    return Promise.resolve({ ...request, status: 'COMPLETED' });
  };
  /** A request comes in, and is kept as `onArrival` says. */
  const arrive = (request: RemoteRequest): Promise<string> =>
    auto.onArrival(request, { keys: [], enter: () => Promise.resolve() }, async (ended) => {
      if (ended === null) await put(request);
      return ended === null ? 'kept' : 'error' in ended ? ended.error.code : ended.request.status;
    });
  const counted: ApprovalRule = (request) => {
    considered.push(request.id);
    return rule?.(request) ?? false;
  };
  const auto = new AutoApproval({
    ...around,
    approvalRule: rule && counted,
    approvals: { approveByRule, approveOnArrival },
  });
  return { ...around, auto, considered, approved, failures, put, arrive };
}

const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `r${String(at).padStart(3, '0')}`);
const row = (id: string): RemoteRequest => requestRow({ id });

describe('auto-approval', () => {
  it('applies the rule once to each request that comes in, and approves what it accepts', async () => {
    const { auto, considered, approved, put } = world(({ id }) => id !== 'b');
    auto.start();
    await put(row('a'), row('b'));
    await put(row('c'), requestRow({ id: 'mine', direction: 'outgoing' }));
    await auto.idle();
    expect([considered, approved]).toEqual([
      ['a', 'b', 'c'],
      ['a', 'c'],
    ]);
  });

  it('applies the rule at the start to everything that is open', async () => {
    const { auto, considered, approved, store } = world();
    const rows = [...names(250).map(row), requestRow({ id: 'done', status: 'REJECTED' })];
    const changes = rows.map((value) => ({ op: 'put', kind: 'request', partition: INSTANCE, value }) as const);
    await store.commit({ expect: {}, changes });
    auto.start();
    await auto.idle();
    expect([considered, approved]).toEqual([names(250), names(250)]);
  });

  it('approves nothing without a rule', async () => {
    const { auto, approved, put, timers } = world(null);
    auto.start();
    await put(row('a'));
    await auto.idle();
    expect([approved, timers.pending]).toEqual([[], []]);
  });

  it('decides on other requests while a rule takes its time, and on no more than 64 at once', async () => {
    const releases: (() => void)[] = [];
    const { auto, considered, approved, put } = world(({ id }) =>
      id === 'quick' ? true : new Promise((resolve) => releases.push(() => resolve(true))),
    );
    auto.start();
    await put(row('slow'));
    await put(row('quick'));
    while (approved.length === 0) await turn();
    expect(approved).toEqual(['quick']);
    await put(...names(100).map((id, at) => requestRow({ id, policyId: `p${String(at % 20)}` })));
    for (let n = 0; n < 10; n += 1) await turn();
    expect(considered).toHaveLength(2 + 63);
    while (approved.length < 102) {
      for (const release of releases.splice(0)) release();
      await turn();
    }
    await auto.idle();
  });

  it('decides on requests for other policies while those for one policy take their time, and on all of them in the end', async () => {
    const releases: (() => void)[] = [];
    const { auto, considered, approved, put } = world(({ policyId }) =>
      policyId === 'quick' ? true : new Promise((resolve) => releases.push(() => resolve(true))),
    );
    auto.start();
    await put(...names(100).map((id) => requestRow({ id, policyId: 'slow' })));
    await put(requestRow({ id: 'other', policyId: 'quick' }));
    for (let n = 0; n < 20; n += 1) await turn();
    expect(approved).toEqual(['other']);
    expect(considered).toHaveLength(8 + 1);
    while (approved.length < 101) {
      for (const release of releases.splice(0)) release();
      await turn();
    }
    await auto.idle();
    expect(auto.stuck()).toEqual([]);
  });

  it('retries a request that may be approved later with exponential backoff, until it is decided', async () => {
    const { auto, considered, approved, failures, put, toNextWakeUp } = world();
    failures.set('a', unavailable());
    auto.start();
    await put(row('a'), row('b'));
    await auto.idle();
    expect(auto.stuck()).toEqual([
      {
        work: 'approval',
        id: 'a',
        failures: 1,
        retryAt: expect.stringMatching(/Z$/),
        reason: expect.stringContaining('the test says so'),
      },
    ]);
    const pauses = [];
    for (let n = 0; n < 9; n += 1) pauses.push(await toNextWakeUp(auto));
    expect(pauses).toEqual([200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000]);
    failures.clear();
    expect([await toNextWakeUp(auto), await toNextWakeUp(auto)]).toEqual([30_000, undefined]);
    expect([considered.filter((id) => id === 'b'), approved]).toEqual([['b'], ['b', 'a']]);
  });

  it('retries a rule that throws', async () => {
    let throws = true;
    const { auto, approved, put, toNextWakeUp } = world(() => {
      if (throws) throw new TypeError('the rule has a bug');
      return true;
    });
    auto.start();
    await put(row('a'));
    await auto.idle();
    throws = false;
    expect([await toNextWakeUp(auto), approved]).toEqual([200, ['a']]);
  });

  it.each([
    ['decided by somebody else', closed('a')],
    ['closed because it can never be carried out', new BlockworkError('POLICY_UNKNOWN', { facts: { policyId: 'p' } })],
  ])('does not retry a request that was %s', async (_, failure) => {
    const { auto, considered, failures, put, timers } = world();
    failures.set('a', failure);
    auto.start();
    await put(row('a'));
    await auto.idle();
    expect([considered, timers.pending]).toEqual([['a'], []]);
  });

  it('does not apply the rule to a request that was decided before its turn', async () => {
    const { auto, considered, failures, put, toNextWakeUp } = world();
    failures.set('a', unavailable());
    auto.start();
    await put(row('a'));
    await auto.idle();
    await put(requestRow({ id: 'a', status: 'REJECTED' }));
    expect([await toNextWakeUp(auto), await toNextWakeUp(auto), considered]).toEqual([200, undefined, ['a']]);
  });

  it('looks up the open requests again where the store fails at the start', async () => {
    const { auto, approved, store, put, toNextWakeUp } = world();
    await put(row('a'));
    await auto.idle();
    approved.length = 0;
    const again = world();
    again.store.isDown = true;
    again.auto.start();
    await again.auto.idle();
    expect(await again.toNextWakeUp(again.auto)).toBe(200);
    again.store.isDown = false;
    const changes = [{ op: 'put', kind: 'request', partition: INSTANCE, value: row('b') }] as const;
    await again.store.commit({ expect: {}, changes });
    expect([await again.toNextWakeUp(again.auto), again.approved]).toEqual([400, ['b']]);
    expect([store.isDown, await toNextWakeUp(auto)]).toEqual([false, undefined]);
  });

  it('waits when it is stopped for the approval under way, and begins no other', async () => {
    let release = (): void => undefined;
    const { auto, considered, approved, put, timers } = world(
      () => new Promise((resolve) => (release = () => resolve(true))),
    );
    auto.start();
    await put(row('a'));
    await turn();
    let hasStopped = false;
    const stopped = auto.stop().then(() => (hasStopped = true));
    await put(row('b'));
    await turn();
    expect(hasStopped).toBe(false);
    release();
    await stopped;
    expect([considered, approved, timers.pending]).toEqual([['a'], ['a'], []]);
  });
});

describe('a request that comes in', () => {
  it('is approved before it is kept where the rule says so at once', async () => {
    const { auto, considered, approved, arrive } = world();
    auto.start();
    expect(await arrive(row('a'))).toBe('COMPLETED');
    await auto.idle();
    expect([considered, approved]).toEqual([['a'], ['a on arrival']]);
  });

  it('is kept where the rule declines it, and the rule is not asked again', async () => {
    const { auto, considered, approved, arrive } = world(() => false);
    auto.start();
    // The first look at the store asks about everything that is open by then.
    await auto.idle();
    expect(await arrive(row('a'))).toBe('kept');
    await auto.idle();
    expect([considered, approved]).toEqual([['a'], []]);
  });

  it('is kept while the rule takes its time, and approved by what it says then', async () => {
    let decide = (_is: boolean): void => undefined;
    const { auto, considered, approved, arrive } = world(() => new Promise((resolve) => (decide = resolve)));
    auto.start();
    expect(await arrive(row('a'))).toBe('kept');
    await turn();
    decide(true);
    await auto.idle();
    expect([considered, approved]).toEqual([['a'], ['a']]);
  });

  it('is kept, and the rule asked again after a while, when that fails', async () => {
    let isBroken = true;
    const broken = (): Promise<boolean> => (isBroken ? Promise.reject(new Error('no answer')) : Promise.resolve(true));
    const { auto, considered, approved, arrive, toNextWakeUp } = world(broken);
    auto.start();
    expect(await arrive(row('a'))).toBe('kept');
    await auto.idle();
    isBroken = false;
    expect(await toNextWakeUp(auto)).toBe(200);
    expect([considered, approved]).toEqual([['a', 'a'], ['a']]);
  });

  it('is decided by what the rule says, where that is neither true nor false', async () => {
    const says = async (answer: unknown): Promise<string> => {
      const { auto, arrive } = world(() => answer as boolean);
      auto.start();
      return arrive(row('a'));
    };
    for (const answer of ['', 0, null, undefined]) expect(await says(answer)).toBe('kept');
    for (const answer of ['yes', 1, {}]) expect(await says(answer)).toBe('COMPLETED');
  });

  it('that comes again while the rule takes its time is not asked about again', async () => {
    const { auto, considered, arrive } = world(() => new Promise(() => undefined));
    auto.start();
    await arrive(row('a'));
    expect(await arrive(row('a'))).toBe('kept');
    expect(considered).toEqual(['a']);
  });

  it('ends with the error of an action that fails for good, and is kept for another try otherwise', async () => {
    const { auto, approved, failures, arrive } = world();
    auto.start();
    failures.set('a', new BlockworkError('POLICY_UNKNOWN', { facts: { policyId: 'x' } })).set('b', unavailable());
    expect(await arrive(row('a'))).toBe('POLICY_UNKNOWN');
    expect(await arrive(row('b'))).toBe('kept');
    failures.clear();
    auto.wake();
    await auto.idle();
    expect(approved).toEqual(['b']);
  });

  it('waits with the others of a busy policy, and holds up nothing that came with it', async () => {
    const { auto, approved, arrive } = world();
    const releases: (() => void)[] = [];
    const hold = (id: string): Promise<void> =>
      auto.onArrival(
        row(id),
        { keys: [], enter: () => Promise.resolve() },
        () => new Promise((end) => releases.push(end)),
      );
    const holding = names(8).map(hold);
    await turn();
    expect(await arrive(row('next'))).toBe('kept');
    expect(await arrive(requestRow({ id: 'other', policyId: 'another' }))).toBe('COMPLETED');
    // What was kept is approved in the background, before or after the other came in.
    await auto.idle();
    const onArrival = [...names(8), 'other'].map((id) => `${id} on arrival`);
    expect([...approved].sort()).toEqual(['next', ...onArrival].sort());
    for (const end of releases) end();
    await Promise.all(holding);
    expect(await arrive(row('last'))).toBe('COMPLETED');
    expect(approved.at(-1)).toBe('last on arrival');
  });
});
