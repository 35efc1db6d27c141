import fc from 'fast-check';
import { Cron } from 'croner';
import { describe, expect, it } from 'vitest';
import { recurrence, type RecurrenceOptions, tickCount } from './recurrence.js';

const monthly: RecurrenceOptions = {
  startDate: '2022-01-01T07:00:00.000Z',
  endDate: '',
  period: 'monthly',
  periodMask: '',
  periodInterval: 1,
};

/** The next ticks after a moment, as text. */
function ticks(more: Partial<RecurrenceOptions>, after: string, count = 3): string[] {
  const timetable = recurrence({ ...monthly, ...more });
  if (!('next' in timetable)) throw new Error(timetable.reason);
  const moments: string[] = [];
  let at: number | null = Date.parse(after);
  for (let n = 0; n < count; n += 1) {
    at = timetable.next(at);
    if (at === null) break;
    moments.push(new Date(at).toISOString());
  }
  return moments;
}

describe('a recurrence', () => {
  it.each([
    ['yearly', ['2027-01-01T07:00:00.000Z', '2028-01-01T07:00:00.000Z']],
    ['monthly', ['2026-07-01T07:00:00.000Z', '2026-08-01T07:00:00.000Z']],
    ['weekly', ['2026-06-20T07:00:00.000Z', '2026-06-27T07:00:00.000Z']],
    ['daily', ['2026-06-16T07:00:00.000Z', '2026-06-17T07:00:00.000Z']],
    ['hourly', ['2026-06-15T13:00:00.000Z', '2026-06-15T14:00:00.000Z']],
  ])('%s follows the configured start date, whenever it is asked', (period, expected) => {
    expect(ticks({ period }, '2026-06-15T12:34:56.789Z', 2)).toEqual(expected);
  });

  it('takes custom masks of five fields, and of six with seconds', () => {
    expect(ticks({ period: 'custom', periodMask: '30 * * * *' }, '2026-06-15T12:34:00Z', 2)).toEqual([
      '2026-06-15T13:30:00.000Z',
      '2026-06-15T14:30:00.000Z',
    ]);
    expect(ticks({ period: 'custom', periodMask: '*/20 0 0 1 * *' }, '2026-06-15T12:34:00Z', 2)).toEqual([
      '2026-07-01T00:00:00.000Z',
      '2026-07-01T00:00:20.000Z',
    ]);
  });

  it.each([
    ['5/15 * * * *', ['2026-06-15T12:35:00.000Z', '2026-06-15T12:50:00.000Z', '2026-06-15T13:05:00.000Z']],
    ['0 8/6 * * *', ['2026-06-15T14:00:00.000Z', '2026-06-15T20:00:00.000Z', '2026-06-16T08:00:00.000Z']],
  ])('reads %s as steps from a number on', (periodMask, expected) => {
    expect(ticks({ period: 'custom', periodMask }, '2026-06-15T12:34:00Z')).toEqual(expected);
  });

  it('begins one period after the start date and ends with the end date', () => {
    expect(ticks({}, '2020-05-05T00:00:00Z', 1)).toEqual(['2022-02-01T07:00:00.000Z']);
    expect(ticks({}, '2022-01-01T07:00:00Z', 1)).toEqual(['2022-02-01T07:00:00.000Z']);
    expect(ticks({ endDate: '2022-03-01T07:00:00.000Z' }, '2022-01-15T00:00:00Z', 9)).toEqual([
      '2022-02-01T07:00:00.000Z',
      '2022-03-01T07:00:00.000Z',
    ]);
    expect(ticks({ endDate: '2025-01-01T07:00:00.000Z' }, '2026-01-15T00:00:00Z', 9)).toEqual([]);
  });

  it('counts intervals from the start date, not from the moment of asking', () => {
    const every = { periodInterval: 3 };
    expect(ticks(every, '2022-01-01T07:00:00Z', 2)).toEqual(['2022-04-01T07:00:00.000Z', '2022-07-01T07:00:00.000Z']);
    expect(ticks(every, '2022-05-20T07:00:00Z', 1)).toEqual(['2022-07-01T07:00:00.000Z']);
    expect(ticks({ ...every, period: 'daily' }, '2026-06-15T12:00:00Z', 2)).toEqual([
      '2026-06-18T07:00:00.000Z',
      '2026-06-21T07:00:00.000Z',
    ]);
  });

  it.each([
    [{ startDate: '' }, 'startDate'],
    [{ startDate: 'soon' }, 'startDate'],
    [{ endDate: 'later' }, 'endDate'],
    [{ period: 'fortnightly' }, 'period'],
    [{ period: 'custom', periodMask: '' }, 'periodMask'],
    [{ period: 'custom', periodMask: '61 * * * *' }, 'periodMask'],
    [{ period: 'custom', periodMask: '* * * * * * 2026' }, 'periodMask'],
    [{ periodInterval: 0 }, 'periodInterval'],
    [{ periodInterval: 1.5 }, 'periodInterval'],
    [{ periodInterval: NaN }, 'periodInterval'],
  ])('says which option of %j cannot be used', (more, option) => {
    expect(recurrence({ ...monthly, ...more })).toMatchObject({ option });
  });
});

describe('the count of ticks', () => {
  it('is what going through all of them gives', () => {
    const masks = ['0 * * * *', '*/7 3-9 * * 1,4', '15 10,20 13 * 5', '0 0 29 2 *', '*/20 */30 5 1-9 3 *'];
    const start = Date.UTC(2023, 10, 3, 11, 22, 33, 444);
    fc.assert(
      fc.property(fc.constantFrom(...masks), fc.nat(40 * 86_400), (mask, seconds) => {
        const cron = new Cron(mask, { timezone: 'UTC', paused: true });
        const to = start + seconds * 1000;
        let count = 0;
        for (let at = cron.nextRun(new Date(start)); at !== null && at.getTime() <= to; at = cron.nextRun(at))
          count += 1;
        expect(tickCount(mask, start, to)).toBe(count);
      }),
      { numRuns: 60 },
    );
  });
});
