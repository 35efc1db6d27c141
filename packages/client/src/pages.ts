/** Paged lists as one async sequence. */

interface Page<Item> {
  readonly data: readonly Item[];
  readonly headers: Headers;
}

export interface PageRange {
  readonly pageIndex: number;
  readonly pageSize: number;
}

const PAGE_SIZE = 100;

/** Fetches pages lazily. Ends after the total last reported by the server. */
export async function* pagesOf<Item>(fetchPage: (range: PageRange) => Promise<Page<Item>>): AsyncGenerator<Item, void> {
  for (let pageIndex = 0; ; pageIndex += 1) {
    const { data, headers } = await fetchPage({ pageIndex, pageSize: PAGE_SIZE });
    yield* data;
    const total = Number(headers.get('x-total-count') ?? 0);
    if (data.length === 0 || (pageIndex + 1) * PAGE_SIZE >= total) return;
  }
}
