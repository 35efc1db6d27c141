import { valueAt } from '@blockwork/core/adapter';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldInText, needsParsing } from './field-in-text.js';

const key = fc.constantFrom(
  ...['a', 'b', 'é', 'e\u0301', '0', '1', 'L', '', 'a"b', '\\', '__proto__', 'toString', '\0', '\ud800', '\ufffd'],
);
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ minLength: 20, maxLength: 60 }),
  fc.constant('\\"'.repeat(30)),
);
const scalar = fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null));
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.dictionary(key, tie('value'), { maxKeys: 5 }),
    fc.array(tie('value'), { maxLength: 4 }),
  ),
}));
const path = fc.array(key, { minLength: 1, maxLength: 4 }).map((keys) => keys.join('.'));

describe('a field in the text of a record', () => {
  it('equals the value in the parsed record, or needs parsing', () => {
    fc.assert(
      fc.property(fc.dictionary(key, value, { maxKeys: 5 }), path, (record, at) => {
        const json = JSON.stringify(record);
        const bytes = Buffer.from(`,\n${json},\n{"a":"of the next"}`);
        const value = fieldInText(bytes, 2, at);
        if (value !== needsParsing) expect(value).toEqual(valueAt(JSON.parse(json), at));
        else expect(json.includes('\\') || at.split('.').includes('L') || at.includes('\ud800')).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(['{ "a":1}', '{"a" :1}', '{"\\u0061":1}'])('needs parsing in a layout like %s', (json) => {
    expect(fieldInText(Buffer.from(json), 0, 'a')).toBe(needsParsing);
  });
});
