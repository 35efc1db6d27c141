/** A grid of a policy without its looks: the server pages, sorts and filters it. */
import type { BlockName } from '@blockwork/client';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { type Column, type ColumnGroup, columnGroups, type GridRow } from '../rows.js';
import { type Slot, textOf } from '../slot.js';
import { type GridChoices, gridChoices, type GridState } from './grid-state.js';
import { openAnswer, useBlock } from './use-block.js';

export interface GridOptions {
  /** Rows of a page to begin with, 1 to 1,000; default 10. */
  readonly itemsPerPage?: number;
  /** Values of filters to begin with, by their UUID or tag. */
  readonly filters?: Readonly<Record<string, string>>;
  /** Where page, order and filters are kept, for instance in the address of the page; default in the component. */
  readonly state?: readonly [state: GridState, change: (next: GridState) => void];
  /** The columns of a grid whose policy names none; default the status, the owner and the last change. */
  readonly usualColumns?: readonly Column[];
}

/** `Row` is what the caller expects of each document. */
export interface Grid<Row extends GridRow = GridRow> extends GridState, GridChoices {
  readonly title: string;
  readonly columns: readonly ColumnGroup[];
  /** Empty until the block is read, and while it is closed to the person. */
  readonly rows: readonly Row[];
  /** Filters, to read with `useBlock`. */
  readonly filters: readonly Slot[];
  /** Of all rows; at least 1. A grid that is not paged has one. */
  readonly pages: number;
  /** `undefined` if the grid is not paged. */
  readonly total: number | undefined;
  readonly isSortable: boolean;
  readonly isLoading: boolean;
  readonly error: Error | null;
  /** The read, to repeat it or to see that it runs. */
  readonly query: UseQueryResult;
}

interface GridAnswer<Row> extends Slot {
  readonly data: readonly Row[];
  readonly fields?: readonly Column[];
  readonly title?: string;
  readonly enableSorting?: boolean;
  readonly blocks: readonly Slot[];
  readonly totalCount?: number;
}

/**
 * An `interfaceDocumentsSourceBlock`, by its tag or UUID.
 *
 * @example
 * const { rows, columns, page, pages, goTo } = useGrid('sunlight', 'my_reports', { itemsPerPage: 25 });
 */
export function useGrid<Row extends GridRow = GridRow>(
  policyId: string,
  block: BlockName,
  { itemsPerPage = 10, filters = {}, state: kept, usualColumns }: GridOptions = {},
): Grid<Row> {
  const own = useState<GridState>({ page: 0, itemsPerPage, sorting: null, chosen: filters });
  const [state, change] = kept ?? own;
  const { page, sorting, chosen } = state;
  const paging = { page, itemsPerPage: state.itemsPerPage };
  const query = useBlock<GridAnswer<Row>>(policyId, block, { ...chosen, ...paging, ...sorting });
  const answer = openAnswer(query);
  const total = answer?.totalCount;
  const pages = total === undefined ? undefined : Math.max(1, Math.ceil(total / state.itemsPerPage));
  return {
    ...state,
    ...gridChoices(state, pages, change),
    title: answer?.title ?? textOf(answer?.uiMetaData, 'title'),
    columns: columnGroups(answer?.fields ?? [], usualColumns),
    rows: answer?.data ?? [],
    filters: answer?.blocks ?? [],
    pages: pages ?? 1,
    total,
    isSortable: answer?.enableSorting === true,
    isLoading: query.isPending,
    error: query.error,
    query,
  };
}
