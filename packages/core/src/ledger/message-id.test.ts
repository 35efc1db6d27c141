import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { laterMessageId, messageIdAt, nextMessageId } from './message-id.js';

const NOW = 1_700_000_000_123;

describe('message ids', () => {
  it('are the moment in seconds, with nine digits after the point', () => {
    expect(messageIdAt(NOW)).toBe('1700000000.123000000');
    expect(messageIdAt(NOW, 7)).toBe('1700000000.123000007');
    expect(nextMessageId(NOW, '1600000000.000000000')).toBe('1700000000.123000000');
  });

  it('follow the newest one where the clock stands still or goes back, over the end of a second too', () => {
    expect(nextMessageId(NOW, '1700000000.123000000')).toBe('1700000000.123000001');
    expect(nextMessageId(NOW, '1800000000.999999999')).toBe('1800000001.000000000');
  });

  it('take a text that is no id for the earliest', () => {
    expect(nextMessageId(NOW, '')).toBe(messageIdAt(NOW));
    expect(laterMessageId('', '1700000000.000000000')).toBe('1700000000.000000000');
    expect(laterMessageId('1700000000.000000001', '1700000000.000000000')).toBe('1700000000.000000001');
  });

  it.each(['x1700000000.000000000', '1700000000.000000000x', '1700000000', '1700000000.5', '.000000001', 'x'])(
    'take the text %j for the earliest, whichever side it is on',
    (text) => {
      const id = '1000000000.000000000';
      expect([laterMessageId(text, id), laterMessageId(id, text)]).toEqual([id, id]);
      expect(nextMessageId(NOW, text)).toBe(messageIdAt(NOW));
    },
  );

  it('are the second one where both are the same moment', () => {
    expect(laterMessageId('01700000000.000000000', '1700000000.000000000')).toBe('1700000000.000000000');
  });

  it('increase strictly, as numbers and as text, whatever the clock does', () => {
    const clocks = fc.array(fc.integer({ min: 0, max: 4_000_000_000_000 }), { minLength: 2, maxLength: 30 });
    fc.assert(
      fc.property(clocks, (moments) => {
        const ids: string[] = [];
        for (const moment of moments) ids.push(nextMessageId(moment, ids.at(-1) ?? ''));
        expect(ids).toEqual([...new Set(ids)].sort());
        for (const id of ids) expect(id).toMatch(/^\d{10}\.\d{9}$/);
      }),
    );
  });
});
