/** The state of a grid in the URL, so that links can be shared and the server stores nothing. */
import { useMemo } from 'react';
import { useAddressTexts } from '../../shell/hash-location.js';
import { FILTER, gridStateIn, usualSize, type GridState, type Sorting } from './grid-state.js';

export interface GridAddress extends GridState {
  readonly goTo: (page: number) => void;
  // These change the content of every page, so they return to the first one.
  readonly resize: (itemsPerPage: number) => void;
  readonly sort: (sorting: Sorting) => void;
  readonly filter: (uuid: string, value: string) => void;
}

export function useGridAddress(grid: string): GridAddress {
  const [said, change] = useAddressTexts(`${grid}.`);
  const state = useMemo(() => gridStateIn(said), [said]);
  return {
    ...state,
    goTo: (page) => {
      change({ page: page === 0 ? null : String(page) });
    },
    resize: (size) => {
      change({ page: null, size: size === usualSize ? null : String(size) });
    },
    sort: ({ sortField, sortDirection }) => {
      change({ page: null, sort: sortDirection === 'desc' ? `-${sortField}` : sortField });
    },
    filter: (filter, value) => {
      change({ page: null, [FILTER + filter]: value });
    },
  };
}
