/** A user's sort order for a grid or a source: the input from clients and the stored form. */
import { z } from 'zod';
import type { Order } from '../records/index.js';
import { tolerant } from '../block-kit/index.js';

/** An empty field with an empty direction clears the choice. */
export const orderState = z.object({
  orderField: z
    .string()
    .max(200)
    .nullish()
    .transform((field) => field ?? ''),
  orderDirection: tolerant.direction,
});
export type OrderState = z.infer<typeof orderState>;

/** A direction without a field sorts by creation date. */
export function orderOf(state: OrderState | undefined): Order | undefined {
  if (state === undefined || (state.orderField === '' && state.orderDirection === null)) return undefined;
  return { path: state.orderField === '' ? 'createDate' : state.orderField, direction: state.orderDirection ?? 'asc' };
}
