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
  /** Everything that was read so far. */
  readonly items: readonly Item[];
  /** How many there are altogether. */
  readonly total: number;
  /** Asks for one more page. */
  readonly more: () => void;
}

export type ReadPage<Item> = (page: PageQuery, signal: AbortSignal) => Promise<Answer<Item>>;

/** What reads a list page by page. */
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

/** Pages that an address may ask for; one after the other is read. */
const MOST_PAGES = 40;

/** Where the address says how many pages of a list were asked for; what filters the list begins it anew. */
export const PAGES = 'pages';

/**
 * How many pages were asked for is part of the address. `refetchInterval`: milliseconds, for what no event tells; `inAddress`: the name
 * of the list there, where a screen has several.
 */
export function usePages<Item>(
  queryKey: readonly unknown[],
  read: ReadPage<Item>,
  {
    inAddress = PAGES,
    ...options
  }: { readonly refetchInterval?: number; readonly retry?: false; readonly inAddress?: string } = {},
): Pages<Item> {
  const [said, say] = useAddressText(inAddress);
  const wanted = /^\d{1,2}$/.test(said) ? Math.min(Number(said), MOST_PAGES) : 1;
  const query = useInfiniteQuery({ ...options, ...pagesOf(queryKey, read), placeholderData: keepPreviousData });
  const count = query.isPlaceholderData ? 0 : (query.data?.pages.length ?? 0);
  const isMoreWanted = count > 0 && count < wanted && query.hasNextPage && !query.isFetching && query.error === null;
  const { fetchNextPage } = query;
  useEffect(() => {
    if (isMoreWanted) void fetchNextPage();
  }, [isMoreWanted, fetchNextPage]);
  const items = query.data?.pages.flatMap(({ data }) => data) ?? [];
  const more = (): void => {
    if (count < MOST_PAGES) say(String(count + 1));
    void fetchNextPage();
  };
  return { query, items, total: query.data?.pages[0]?.total ?? 0, more };
}
