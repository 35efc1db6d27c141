/** Page, order and filters of a grid, and what each choice makes of them. */
import type { ColumnGroup } from '../rows.js';

export interface GridSorting {
  readonly sortField: string;
  readonly sortDirection: 'asc' | 'desc';
}

export interface GridState {
  /** From 0. */
  readonly page: number;
  /** Rows of a page, 1 to 1,000. */
  readonly itemsPerPage: number;
  readonly sorting: GridSorting | null;
  /** Values of filters, by their UUID or tag; an empty text clears the value that the server has stored. */
  readonly chosen: Readonly<Record<string, string>>;
}

export interface GridChoices {
  /** A page beyond the end is the last one. */
  readonly goTo: (page: number) => void;
  // These change the content of every page, so they return to the first one.
  readonly resize: (itemsPerPage: number) => void;
  readonly sort: (sorting: GridSorting | null) => void;
  /** `filter`: its UUID or tag. */
  readonly filter: (filter: string, value: string) => void;
}

/** `pages`: `undefined` as long as nobody knows. */
export function gridChoices(
  state: GridState,
  pages: number | undefined,
  change: (next: GridState) => void,
): GridChoices {
  const fromTheFirst = (changed: Partial<GridState>): void => {
    change({ ...state, ...changed, page: 0 });
  };
  return {
    goTo: (page) => {
      change({ ...state, page: pages === undefined ? page : Math.min(page, pages - 1) });
    },
    resize: (itemsPerPage) => {
      fromTheFirst({ itemsPerPage });
    },
    sort: (sorting) => {
      fromTheFirst({ sorting });
    },
    filter: (filter, value) => {
      fromTheFirst({ chosen: { ...state.chosen, [filter]: value } });
    },
  };
}

/**
 * The field that rows can be sorted by in this position; `undefined` if there is none.
 *
 * @example const field = sortFieldOf(group);
 */
export const sortFieldOf = ({ columns }: ColumnGroup): string | undefined =>
  columns.find(({ type, name = '' }) => type === 'text' && name !== '')?.name;

/**
 * The order after a choice of this field: ascending, and descending if it was that.
 *
 * @example grid.sort(nextSorting(grid.sorting, field));
 */
export const nextSorting = (sorting: GridSorting | null, sortField: string): GridSorting => ({
  sortField,
  sortDirection: sorting?.sortField === sortField && sorting.sortDirection === 'asc' ? 'desc' : 'asc',
});
