/** What a calculating container asks of its addons: to add to the variables, or change them. */
import type { JsonObject } from '@blockwork/core/block';
import { z } from 'zod';

const json = z.custom<JsonObject>((value) => typeof value === 'object' && value !== null && !Array.isArray(value));

export const calculation = z.object({
  /** Values by the names of variables. */
  scope: json,
  /** Whose (first) document is calculated with. */
  owner: z.string(),
  group: z.string().nullable(),
});
export type Calculation = z.infer<typeof calculation>;

/** The answer of an addon: all variables that there are now. */
export const calculated = z.object({ scope: json });
