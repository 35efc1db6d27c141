import { describe, expect, it } from 'vitest';
import { gridChoices, type GridChoices, type GridState, nextSorting, sortFieldOf } from './grid-state.js';

const state: GridState = { page: 4, itemsPerPage: 10, sorting: null, chosen: { status: 'New' } };

const after = (choose: (choices: GridChoices) => void, pages?: number): GridState => {
  let next = state;
  choose(
    gridChoices(state, pages, (changed) => {
      next = changed;
    }),
  );
  return next;
};

describe('a grid', () => {
  it('goes to the page that is chosen, and to the last one where that is beyond the end', () => {
    expect(after(({ goTo }) => goTo(7))).toEqual({ ...state, page: 7 });
    expect(after(({ goTo }) => goTo(3), 2)).toEqual({ ...state, page: 1 });
    expect(after(({ goTo }) => goTo(0), 1)).toEqual({ ...state, page: 0 });
  });

  it('returns to the first page whenever what is on the pages changes', () => {
    const sorting = { sortField: 'owner', sortDirection: 'desc' } as const;
    expect(after(({ resize }) => resize(25))).toEqual({ ...state, page: 0, itemsPerPage: 25 });
    expect(after(({ sort }) => sort(sorting))).toEqual({ ...state, page: 0, sorting });
    expect(after(({ filter }) => filter('kind', ''))).toEqual({
      ...state,
      page: 0,
      chosen: { status: 'New', kind: '' },
    });
  });

  it('is sorted by the field of a column of text, upward first', () => {
    const group = {
      title: 'Site',
      columns: [
        { title: 'Site', type: 'block' },
        { type: 'text', name: 'site' },
      ],
    };
    expect([sortFieldOf(group), sortFieldOf({ title: '', columns: [{ name: 'site' }] })]).toEqual(['site', undefined]);
    const upward = nextSorting(null, 'site');
    expect(upward).toEqual({ sortField: 'site', sortDirection: 'asc' });
    expect(nextSorting(upward, 'site')).toEqual({ sortField: 'site', sortDirection: 'desc' });
    expect(nextSorting(upward, 'owner')).toEqual({ sortField: 'owner', sortDirection: 'asc' });
    expect(nextSorting(nextSorting(upward, 'site'), 'site')).toEqual(upward);
  });
});
