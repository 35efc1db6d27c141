/** A grid of a policy without its looks: the server pages and sorts it. */
import type { BlockName } from '@blockwork/client';
import { useState } from 'react';
import { type Column, type ColumnGroup, columnGroups, type GridRow } from '../rows.js';
import { openAnswer, type Slot, useBlock } from './use-block.js';

export interface GridSorting {
  readonly sortField: string;
  readonly sortDirection: 'asc' | 'desc';
}

export interface GridOptions {
  /** Rows of a page, 1 to 1,000; default 10. */
  readonly itemsPerPage?: number;
  /** Values of filters, by their UUID or tag. */
  readonly filters?: Readonly<Record<string, string>>;
}

/** `Row` is what the caller expects of each document. */
export interface Grid<Row extends GridRow = GridRow> {
  readonly title: string;
  readonly columns: readonly ColumnGroup[];
  /** Empty until the block is read, and while it is closed to the person. */
  readonly rows: readonly Row[];
  /** Filters, to read with `useBlock`. */
  readonly filters: readonly Slot[];
  /** From 0. */
  readonly page: number;
  /** Of all rows; at least 1. A grid that is not paged has one. */
  readonly pages: number;
  /** `undefined` if the grid is not paged. */
  readonly total: number | undefined;
  readonly sorting: GridSorting | null;
  readonly isSortable: boolean;
  readonly isLoading: boolean;
  readonly error: Error | null;
  readonly goTo: (page: number) => void;
  /** Returns to the first page. */
  readonly sort: (sorting: GridSorting | null) => void;
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
  { itemsPerPage = 10, filters = {} }: GridOptions = {},
): Grid<Row> {
  const [page, setPage] = useState(0);
  const [sorting, setSorting] = useState<GridSorting | null>(null);
  const query = useBlock<GridAnswer<Row>>(policyId, block, { ...filters, page, itemsPerPage, ...sorting });
  const answer = openAnswer(query);
  const total = answer?.totalCount;
  return {
    title: answer?.title ?? '',
    columns: columnGroups(answer?.fields ?? []),
    rows: answer?.data ?? [],
    filters: answer?.blocks ?? [],
    page,
    pages: Math.max(1, Math.ceil((total ?? 0) / itemsPerPage)),
    total,
    sorting,
    isSortable: answer?.enableSorting === true,
    isLoading: query.isPending,
    error: query.error,
    goTo: setPage,
    sort: (wanted) => {
      setPage(0);
      setSorting(wanted);
    },
  };
}
