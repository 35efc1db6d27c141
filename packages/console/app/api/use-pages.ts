/** A list that the server gives page by page; what was read stays, and more is added to it. */
import {
  keepPreviousData,
  useInfiniteQuery,
  type InfiniteData,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query';

const PAGE_SIZE = 50;

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

/** `refetchInterval`: milliseconds, for what no event tells. */
export function usePages<Item>(
  queryKey: readonly unknown[],
  read: ReadPage<Item>,
  options: { readonly refetchInterval?: number; readonly retry?: false } = {},
): Pages<Item> {
  const query = useInfiniteQuery({ ...options, ...pagesOf(queryKey, read), placeholderData: keepPreviousData });
  const items = query.data?.pages.flatMap(({ data }) => data) ?? [];
  return { query, items, total: query.data?.pages[0]?.total ?? 0 };
}
