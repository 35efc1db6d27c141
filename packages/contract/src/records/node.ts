/** A node of a store that several processes share. */
import { z } from 'zod';
import { component } from '../component.js';
import { timestamp } from './identifiers.js';

export const node = component(
  'Node',
  z.object({
    id: z.string().describe('Unique to this run of the process.'),
    name: z.string().describe('What the operator calls it; may be empty.'),
    version: z.string().describe('Of the software.'),
    since: timestamp.describe('When it joined, by the clock of the store.'),
    leases: z.int().describe('How much of the background work it has taken on.'),
    isThis: z.boolean().describe('Whether it is the one that answers.'),
  }),
);
