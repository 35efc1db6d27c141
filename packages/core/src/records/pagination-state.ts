/** What a `paginationAddon` block answers (interface, "Block pagination state"). */
import { z } from 'zod';

/** `size`: documents in all. `itemsPerPage`: documents on a page. `page`: counted from 0. */
export const paginationState = z.object({
  size: z.number(),
  itemsPerPage: z.number(),
  page: z.number(),
});
