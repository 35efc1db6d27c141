/** Pages that end where their bytes end: a list that would be too large is shorter, and never refused as a whole. */
import { isBlockworkError } from '../errors.js';

/** No page that was refused holds this many records. */
const LARGEST_PAGE = 1 << 20;

/**
 * Reads at most `limit` records. If they exceed the bytes that `read` allows, reads fewer: at least half of those that
 * fit. Throws `PAGE_TOO_LARGE` if the first record alone exceeds them, and as `read`.
 */
export async function cutPage<Item>(
  limit: number | undefined,
  read: (size: { readonly limit?: number }) => Promise<readonly Item[]>,
): Promise<readonly Item[]> {
  const most = limit ?? LARGEST_PAGE;
  try {
    return await read(limit === undefined ? {} : { limit });
  } catch (error) {
    if (most <= 1 || !isBlockworkError(error, 'PAGE_TOO_LARGE')) throw error;
  }
  let page = await read({ limit: 1 });
  for (let size = 2; size < most; size *= 2) {
    try {
      page = await read({ limit: size });
    } catch (error) {
      if (!isBlockworkError(error, 'PAGE_TOO_LARGE')) throw error;
      return page;
    }
  }
  return page;
}
