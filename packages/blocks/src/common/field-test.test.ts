import { matches } from '@blockwork/core/adapter';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conditionOf, passes } from './field-test.js';

const record = { option: { status: 'Approved', count: 5, done: true, tags: ['a', 'b'] }, owner: 'did:a' };

describe('a test of a field', () => {
  it('compares by what values read as', () => {
    expect(passes(record, { type: 'equal', field: 'option.status', value: 'Approved' })).toBe(true);
    expect(passes(record, { type: 'equal', field: 'option.count', value: '5' })).toBe(true);
    expect(passes(record, { type: 'equal', field: 'option.done', value: 'true' })).toBe(true);
    expect(passes(record, { type: 'not_equal', field: 'option.status', value: 'Approved' })).toBe(false);
    expect(passes(record, { type: 'equal', field: 'option.tags', value: 'a,b' })).toBe(false);
  });

  it('takes a field that is not there for no value', () => {
    expect(passes(record, { type: 'equal', field: 'option.none', value: '' })).toBe(false);
    expect(passes(record, { type: 'not_equal', field: 'option.none', value: 'Revoked' })).toBe(true);
    expect(passes(record, { type: 'equal', field: 'constructor.name', value: 'Object' })).toBe(false);
  });

  it('knows lists on either side', () => {
    expect(passes(record, { type: 'in', field: 'option.status', value: 'New, Approved' })).toBe(true);
    expect(passes(record, { type: 'in', field: 'option.status', value: ['New'] })).toBe(false);
    expect(passes(record, { type: 'in', field: 'option.tags', value: 'b' })).toBe(true);
    expect(passes(record, { type: 'not_in', field: 'option.status', value: 'New' })).toBe(true);
  });

  it('never passes a test that it does not know', () => {
    expect(passes(record, { type: 'like', field: 'option.status', value: 'Approved' })).toBe(false);
  });

  it('counts what it passes: the condition for the store says the same of every single value', () => {
    const text = fc.constantFrom('', '5', '05', 'true', 'Approved', ' New', 'New', 'a,b', 'a');
    const single = fc.oneof(text, fc.constantFrom(5, 0, true, false, null));
    const test = fc.record({
      type: fc.constantFrom('equal', 'not_equal', 'in', 'not_in', 'like'),
      field: fc.constant('option.value'),
      value: fc.oneof(single, fc.array(single, { maxLength: 3 })),
    });
    fc.assert(
      fc.property(test, fc.oneof(single, fc.constant(undefined)), (wanted, value) => {
        const document = { option: value === undefined ? {} : { value } };
        expect(matches(document, conditionOf(wanted))).toBe(passes(document, wanted));
      }),
    );
  });
});
