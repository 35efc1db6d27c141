/** Lists that come in pages, as one sequence. */

interface Page<Item> {
  readonly data: readonly Item[];
  readonly headers: Headers;
}

export interface PageRange {
  readonly pageIndex: number;
  readonly pageSize: number;
}

const PAGE_SIZE = 100;

/** Fetches a page when its first item is asked for. Ends after the total that the server gave last. */
export async function* pagesOf<Item>(fetchPage: (range: PageRange) => Promise<Page<Item>>): AsyncGenerator<Item, void> {
  for (let pageIndex = 0; ; pageIndex += 1) {
    const { data, headers } = await fetchPage({ pageIndex, pageSize: PAGE_SIZE });
    yield* data;
    const total = Number(headers.get('x-total-count') ?? 0);
    if (data.length === 0 || (pageIndex + 1) * PAGE_SIZE >= total) return;
  }
}
