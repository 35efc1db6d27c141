/** A node of a store that several processes share. */
import { z } from 'zod';
import { component } from '../component.js';
import { timestamp } from './identifiers.js';

export const node = component(
  'Node',
  z.object({
    id: z.string().describe('Unique to this run of the process.'),
    name: z.string().describe('Name given by the operator; may be empty.'),
    version: z.string().describe('Software version.'),
    since: timestamp.describe("When it joined, by the store's clock."),
    leases: z.int().describe('Number of background work leases it holds.'),
    isThis: z.boolean().describe('Whether it is the node that answers.'),
  }),
);
