import { describe, expect, it } from 'vitest';
import { passes } from './field-test.js';

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
});
