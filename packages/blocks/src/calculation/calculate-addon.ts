/** The protocol between a calculating container and its addons, which add or change variables. */
import { isObject, type Json, type JsonObject } from '@blockwork/core/block';
import { z } from 'zod';

const json = z.custom<JsonObject>(isObject);

export const calculation = z.object({
  /** Values by variable name. */
  scope: json,
  /** Owner and group of the (first) document. */
  owner: z.string(),
  group: z.string().nullable(),
});
export type Calculation = z.infer<typeof calculation>;

/** An addon's answer: all variables, changed or not. */
export const calculated = z.object({ scope: json });

const value = z.custom<Json>((value) => value !== undefined);

/** Static description of the same calculation: how each of the addon's variables is computed. */
export const explained = z.object({
  scope: json,
  variables: z.array(
    z.object({
      name: z.string(),
      by: z.string(),
      value,
      from: z.object({ documentIds: z.array(z.string()), path: z.string() }).exactOptional(),
      formula: z.string().exactOptional(),
      uses: z.array(z.string()).exactOptional(),
    }),
  ),
});
