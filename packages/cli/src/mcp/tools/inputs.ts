/** Members that the inputs of several tools have. */
import { z } from 'zod';

export const policy = z
  .string()
  .min(1)
  .max(1_000)
  .describe('The policy, as list_policies names it: the path of its file in the folder, or its id on the server.');

export const offset = z.int().nonnegative().default(0).describe('How many items of the list to leave out.');

export const person = z
  .string()
  .min(1)
  .max(200)
  .default('owner')
  .describe('"owner", or the name of somebody added by add_person.');

export const block = z.string().min(1).max(500).describe('Tag of the block, or its id as answers give it.');
