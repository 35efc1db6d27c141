/** What a user interface offers a role as its way through the policy (interface, "Navigation entry"). */
import { z } from 'zod';

export const navigationStep = z.looseObject({
  block: z.string().optional(),
  level: z.number().optional(),
  name: z.string().optional(),
});

export const navigationEntry = z.looseObject({
  role: z.string().optional(),
  steps: z.array(navigationStep).optional(),
});

export type NavigationStep = z.infer<typeof navigationStep>;
export type NavigationEntry = z.infer<typeof navigationEntry>;
