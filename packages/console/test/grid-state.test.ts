/** What an address says of a grid. */
import { describe, expect, it } from 'vitest';
import { gridStateIn, parametersOf } from '../app/page/grid/grid-state.js';

const filter = '5a1e0000-0000-4000-8000-000000000001';
const stateIn = (texts: Record<string, string>) => gridStateIn(new Map(Object.entries(texts)));
const usual = { page: 0, itemsPerPage: 10, sorting: null, chosen: {} };

describe('The state of a grid in an address', () => {
  it('is its page, its size, its order and its filters', () => {
    const texts = { page: '2', size: '25', sort: 'option.status', [`filter.${filter}`]: 'A & B' };
    expect(parametersOf(stateIn(texts))).toEqual(texts);
    expect(stateIn(texts)).toEqual({
      page: 2,
      itemsPerPage: 25,
      sorting: { sortField: 'option.status', sortDirection: 'asc' },
      chosen: { [filter]: 'A & B' },
    });
  });

  it('is the usual one where the address says nothing', () => {
    expect(stateIn({})).toEqual(usual);
    expect(parametersOf(usual)).toEqual({ page: null, size: null, sort: null });
  });

  it.each([
    { page: '-1' },
    { page: '1e3' },
    { page: '12345678901' },
    { size: '7' },
    { size: '100000' },
    { sort: '' },
    { sort: '-' },
    { 'filter.page': '3' },
    { 'filter.itemsPerPage': '100000' },
    { [filter]: 'no filter' },
  ])('passes over %j', (texts) => {
    expect(stateIn(texts)).toEqual(usual);
  });

  it('has an order from behind', () => {
    expect(parametersOf(stateIn({ sort: '-owner' }))).toMatchObject({ sort: '-owner' });
    expect(stateIn({ sort: '-owner' }).sorting).toEqual({ sortField: 'owner', sortDirection: 'desc' });
  });

  it('keeps that a filter is to have no choice', () => {
    expect(stateIn({ [`filter.${filter}`]: '' }).chosen).toEqual({ [filter]: '' });
  });
});
