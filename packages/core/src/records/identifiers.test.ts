import { messageId, NIL_UUID, timestamp, topicId, uuid, version } from '@blockwork/core/records';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const digits = fc.bigInt({ min: 0n, max: 10n ** 18n }).map(String);

describe('identifiers', () => {
  it('of topics are three numbers, of versions too, of messages two', () => {
    fc.assert(
      fc.property(fc.array(digits, { minLength: 1, maxLength: 5 }), (parts) => {
        const joined = parts.join('.');
        expect(topicId.safeParse(joined).success).toBe(parts.length === 3);
        expect(version.safeParse(joined).success).toBe(parts.length === 3);
        expect(messageId.safeParse(joined).success).toBe(parts.length === 2);
      }),
    );
  });

  it('of messages stay text, to the last digit', () => {
    expect(messageId.parse('1706823227.586179534')).toBe('1706823227.586179534');
    expect(messageId.parse('0001706823227.000000001')).toBe('0001706823227.000000001');
  });

  it.each(['1.2\n', '١.٢', '1.2 ', '1,2', '0x1.2', '1e3.2', `${'1'.repeat(64)}.2`])(
    '%j is none of a message',
    (value) => {
      expect(messageId.safeParse(value).success).toBe(false);
    },
  );

  it.each(['0.0.1\n', '٠.٠.١', `0.0.${'1'.repeat(64)}`, '0..1'])('%j is none of a topic', (value) => {
    expect(topicId.safeParse(value).success).toBe(false);
  });

  it('that are UUIDs are known by their shape, whatever their version bits say', () => {
    fc.assert(
      fc.property(fc.uuid(), (value) => uuid.safeParse(value).success && uuid.safeParse(value.toUpperCase()).success),
    );
    expect(uuid.safeParse(NIL_UUID).success).toBe(true);
    expect(uuid.safeParse('ffffffff-ffff-ffff-ffff-ffffffffffff').success).toBe(true);
    expect(uuid.safeParse(`{${NIL_UUID}}`).success).toBe(false);
  });

  it('of moments are what toISOString writes', () => {
    const year = { min: new Date('1900-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true };
    fc.assert(fc.property(fc.date(year), (date) => timestamp.safeParse(date.toISOString()).success));
  });

  it.each([
    '2026-13-01T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01 00:00:00Z',
    '2026-01-01T00:00:00',
  ])('%s is no moment', (value) => {
    expect(timestamp.safeParse(value).success).toBe(false);
  });
});
