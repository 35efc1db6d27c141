import { describe, expect, it } from 'vitest';
import { filterOf } from './use-filter.js';

const answer = {
  id: 'f',
  blockType: 'filtersAddon',
  data: [
    { name: 'Roof', value: 'roof' },
    { name: 'Two', value: 2 },
  ],
  optionName: 'document.credentialSubject.0.site',
};
const valuesOf = (given: object, chosen?: string): unknown =>
  filterOf({ ...answer, ...given }, chosen)?.options.map(({ value }) => value);

describe('a filter of a grid', () => {
  it('has the title of the policy, otherwise the name of its field', () => {
    expect(filterOf(answer, undefined)?.label).toBe('site');
    expect(filterOf({ ...answer, uiMetaData: { content: 'Place' } }, undefined)?.label).toBe('Place');
  });

  it('has the value that was chosen, otherwise the one that the server keeps', () => {
    expect(filterOf({ ...answer, filterValue: 2 }, undefined)?.value).toBe('2');
    expect(filterOf({ ...answer, filterValue: 2 }, '')?.value).toBe('');
  });

  it('offers all rows where it may be empty, or is', () => {
    expect(valuesOf({ filterValue: 'roof' })).toEqual(['roof', '2']);
    expect(valuesOf({ filterValue: 'roof', canBeEmpty: true })).toEqual(['', 'roof', '2']);
    expect(valuesOf({})).toEqual(['', 'roof', '2']);
  });

  it('still shows a chosen value that no row has any more', () => {
    expect(valuesOf({}, 'gone')).toEqual(['roof', '2', 'gone']);
  });

  it('is none where it offers no values', () => {
    expect(filterOf({ ...answer, data: null }, undefined)).toBeUndefined();
  });
});
