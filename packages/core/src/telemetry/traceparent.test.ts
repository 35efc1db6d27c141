import { describe, expect, it } from 'vitest';
import {
  readTraceparent,
  rememberTraceparent,
  traceFlagsOf,
  validTraceparent,
  writeTraceparent,
} from './traceparent.js';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

describe('traceparent', () => {
  it('is read and written', () => {
    const text = `00-${traceId}-${spanId}-01`;
    const context = readTraceparent(text);
    expect(context).toEqual({ traceId, spanId, flags: 1 });
    expect(context && writeTraceparent(context)).toBe(text);
  });

  it.each([0, 1, 2, 0x10, 0xff])('has the flags %d, which are read alone as well', (flags) => {
    const text = writeTraceparent({ traceId, spanId, flags });
    expect(traceFlagsOf(text)).toBe(flags);
    expect(traceFlagsOf(`cc${text.slice(2)}-more`)).toBe(flags);
    expect(readTraceparent(text)).toEqual({ traceId, spanId, flags });
    expect(validTraceparent(text)).toBe(text);
  });

  it('of a later version is understood as far as it is known, and passed on as version 00', () => {
    expect(validTraceparent(`cc-${traceId}-${spanId}-01-what-comes-later`)).toBe(`00-${traceId}-${spanId}-01`);
    expect(validTraceparent(`cc-${traceId}-${spanId}-01`)).toBe(`00-${traceId}-${spanId}-01`);
  });

  it.each([
    ['nothing', undefined],
    ['an empty text', ''],
    ['version ff', `ff-${traceId}-${spanId}-01`],
    ['capital letters', `00-${traceId.toUpperCase()}-${spanId}-01`],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${spanId}-01`],
    ['a parent of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['a short trace', `00-${traceId.slice(1)}-${spanId}-01`],
    ['a short parent', `00-${traceId}-${spanId.slice(1)}-01`],
    ['flags of one digit', `00-${traceId}-${spanId}-1`],
    ['version 00 with more', `00-${traceId}-${spanId}-01-more`],
    ['a later version with more behind another sign', `cc-${traceId}-${spanId}-01.more`],
    ['spaces', ` 00-${traceId}-${spanId}-01`],
    ['a text that is far too long', `cc-${traceId}-${spanId}-01-${'x'.repeat(500)}`],
  ])('is ignored: %s', (_, text) => {
    expect(readTraceparent(text)).toBeUndefined();
    expect(validTraceparent(text)).toBeUndefined();
    expect(traceFlagsOf(text)).toBeUndefined();
  });

  it('is checked even if it looks like one that was checked before, or that was remembered', () => {
    const text = `00-${traceId}-${spanId}-01`;
    rememberTraceparent(text);
    expect(readTraceparent(text)).toEqual({ traceId, spanId, flags: 1 });
    for (const [from, to] of [
      [traceId.slice(0, 4), 'zzzz'],
      [spanId.slice(0, 4), 'ZZZZ'],
      ['-01', '_01'],
      [traceId, '0'.repeat(31) + traceId.slice(-1)],
    ] as const) {
      const other = text.replace(from, to);
      const isValid = !/[zZ_]/.test(other);
      expect(readTraceparent(other) !== undefined, other).toBe(isValid);
      expect(traceFlagsOf(other), other).toBe(isValid ? 1 : undefined);
    }
    expect(traceFlagsOf(`00-${traceId}-${spanId}-00`)).toBe(0);
    expect(traceFlagsOf(text)).toBe(1);
  });
});
