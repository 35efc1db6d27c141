/** A paged list: loaded pages stay, and further ones are appended. */
import {
  keepPreviousData,
  useInfiniteQuery,
  type InfiniteData,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { PAGE_SIZE } from '../policies/early-list.js';
import { useAddressText } from '../shell/hash-location.js';

interface Answer<Item> {
  readonly data: readonly Item[];
  readonly headers: Headers;
}

interface Page<Item> {
  readonly data: readonly Item[];
  readonly total: number;
}

export interface PageQuery {
  readonly pageIndex: number;
  readonly pageSize: number;
}

export interface Pages<Item> {
  readonly query: UseInfiniteQueryResult<InfiniteData<Page<Item>>>;
  /** All items loaded so far. */
  readonly items: readonly Item[];
  /** Number of items on the server. */
  readonly total: number;
  /** Loads the next page. */
  readonly more: () => void;
}

export type ReadPage<Item> = (page: PageQuery, signal: AbortSignal) => Promise<Answer<Item>>;

/** The query options of a paged list. */
export const pagesOf = <Item>(queryKey: readonly unknown[], read: ReadPage<Item>) => ({
  queryKey,
  initialPageParam: 0,
  queryFn: async ({
    pageParam,
    signal,
  }: {
    readonly pageParam: number;
    readonly signal: AbortSignal;
  }): Promise<Page<Item>> => {
    const { data, headers } = await read({ pageIndex: pageParam, pageSize: PAGE_SIZE }, signal);
    return { data, total: Number(headers.get('x-total-count') ?? data.length) };
  },
  getNextPageParam: ({ total }: Page<Item>, pages: readonly unknown[]) =>
    pages.length * PAGE_SIZE < total ? pages.length : undefined,
});

/** Most pages that a URL can restore; they are fetched sequentially. */
const MOST_PAGES = 40;

/** URL parameter with the number of loaded pages; changing a filter removes it. */
export const PAGES = 'pages';

/** Milliseconds, or what decides them after each answer; `false` ends polling. */
type PollInterval =
  number | ((query: { readonly state: { readonly error: Error | null } }) => number | false | undefined);

/**
 * The number of loaded pages is part of the URL. `refetchInterval`: milliseconds, for data without events; `inAddress`: the
 * URL parameter, for screens with several lists.
 */
export function usePages<Item>(
  queryKey: readonly unknown[],
  read: ReadPage<Item>,
  {
    inAddress = PAGES,
    ...options
  }: { readonly refetchInterval?: PollInterval; readonly retry?: false; readonly inAddress?: string } = {},
): Pages<Item> {
  const [parameter, setParameter] = useAddressText(inAddress);
  const wanted = /^\d{1,2}$/.test(parameter) ? Math.min(Number(parameter), MOST_PAGES) : 1;
  const query = useInfiniteQuery({ ...options, ...pagesOf(queryKey, read), placeholderData: keepPreviousData });
  const count = query.isPlaceholderData ? 0 : (query.data?.pages.length ?? 0);
  const isMoreWanted = count > 0 && count < wanted && query.hasNextPage && !query.isFetching && query.error === null;
  const { fetchNextPage } = query;
  useEffect(() => {
    if (isMoreWanted) void fetchNextPage();
  }, [isMoreWanted, fetchNextPage]);
  const items = query.data?.pages.flatMap(({ data }) => data) ?? [];
  const more = (): void => {
    if (count < MOST_PAGES) setParameter(String(count + 1));
    void fetchNextPage();
  };
  return { query, items, total: query.data?.pages[0]?.total ?? 0, more };
}
