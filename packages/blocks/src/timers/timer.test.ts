import { blockBench } from '@blockwork/testing';
import { Cron } from 'croner';
import { describe, expect, it, vi } from 'vitest';
import { timerBlock } from './timer.js';

const options = { startDate: '2022-01-01T07:00:00.000Z', period: 'monthly' };
const bench = (more: object = {}) => blockBench(timerBlock, { options: { ...options, ...more } });

const document = (owner: string, group: string | null = null) => ({
  owner,
  group,
  document: { type: ['VerifiableCredential'], credentialSubject: [{}] },
});

const GROUP = '10000000-0000-4000-8000-000000000001';

describe('timerBlock', () => {
  it('ticks with the keys of those whose clock runs, in the order in which they started', async () => {
    const timer = bench();
    await timer.as('Worker').event('StartTimerEvent', document('did:bench:b', GROUP));
    await timer.as('Worker').event('RunEvent', [document('did:bench:a'), document('did:bench:c')]);
    await timer.as('Worker').event('StartTimerEvent', document('did:bench:b', GROUP));
    await timer.as('OWNER').event('TickEvent');
    const tick = timer.emitted.find(({ output }) => output === 'TimerEvent');
    expect(tick).toMatchObject({ data: [`${GROUP}:did:bench:b`, 'did:bench:a'], did: 'did:bench:owner' });
  });

  it('hands a run on, and does not for one that only starts or stops the clock', async () => {
    const timer = bench();
    await timer.as('Worker').event('StartTimerEvent', document('did:bench:a'));
    await timer.as('Worker').event('StopTimerEvent', document('did:bench:a'));
    expect(timer.emitted).toEqual([]);
    await timer.as('Worker').event('RunEvent', document('did:bench:a'));
    expect(timer.emitted.map(({ output }) => output)).toEqual(['RunEvent', 'RefreshEvent']);
  });

  it('stops for whom it is told, and for nobody else', async () => {
    const timer = bench();
    for (const did of ['did:bench:a', 'did:bench:b']) await timer.as('Worker').event('StartTimerEvent', document(did));
    await timer.as('Worker').event('StopTimerEvent', document('did:bench:a'));
    await timer.as('OWNER').event('TickEvent');
    expect(timer.emitted).toMatchObject([{ output: 'TimerEvent', data: ['did:bench:b'] }]);
  });

  it('ticks with nobody where no clock runs', async () => {
    const timer = bench();
    await timer.as('OWNER').event('TickEvent');
    expect(timer.emitted).toMatchObject([{ output: 'TimerEvent', data: [] }]);
  });

  it('leaves no entry in the journal for a tick with nobody', async () => {
    const timer = bench();
    const { engine, owner, policyId } = await timer.open();
    const before = (await engine.journal.list(owner, policyId)).total;
    await engine.program.schedule.tick(policyId, 'block');
    expect((await engine.journal.list(owner, policyId)).total).toBe(before);
    await timer.as('Worker').event('StartTimerEvent', document('did:bench:a'));
    expect((await engine.journal.list(owner, policyId)).total).toBe(before + 1);
  });

  it.each([
    [{ period: 'fortnightly' }, '/period'],
    [{ startDate: 'soon' }, '/startDate'],
    [{ startDate: null }, '/startDate'],
    [{ endDate: 'later' }, '/endDate'],
    [{ period: 'custom', periodMask: 'never' }, '/periodMask'],
    [{ periodInterval: 'often' }, '/periodInterval'],
  ])('finds %j, and never ticks', async (more, path) => {
    const findings = await bench(more).findings();
    expect(findings).toMatchObject([{ severity: 'error', code: 'OPTIONS_INVALID', tag: 'block' }]);
    expect(findings[0]?.path).toMatch(new RegExp(`${path}$`));
    const parsed = timerBlock.options?.parse({ ...options, ...more });
    expect(timerBlock.timetable?.(parsed).next(0)).toBeNull();
  });

  it.each([{ endDate: '2022-01-15T00:00:00Z' }, { period: 'custom', periodMask: '0 0 30 2 *' }])(
    'warns of %j, which has no moment',
    async (more) => {
      expect(await bench(more).findings()).toMatchObject([
        {
          severity: 'warning',
          path: expect.stringMatching(/\/period$/),
          message: expect.stringContaining('never ticks'),
        },
      ]);
    },
  );

  it('is checked by its first moment, whatever its interval', async () => {
    const listed = vi.spyOn(Cron.prototype, 'nextRuns');
    expect(await bench({ periodInterval: 10_000 }).findings()).toEqual([]);
    expect(listed).not.toHaveBeenCalled();
    listed.mockRestore();
  });

  it('takes options as policies write them', async () => {
    expect(await bench({ endDate: null, periodInterval: '', periodMask: '' }).findings()).toEqual([]);
    expect(await bench({ period: 'custom', periodMask: '0 * * * *', periodInterval: '2' }).findings()).toEqual([]);
  });
});
