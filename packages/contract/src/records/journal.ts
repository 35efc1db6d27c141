/** An entry of a policy's journal: one unit of work. */
import { z } from 'zod';
import { component } from '../component.js';
import { json } from './json.js';

const tagged = { tag: z.string(), did: z.string() };

export const causeTypes = [
  'send',
  'external',
  'importer',
  'retention',
  'witness',
  'tick',
  'retry',
  'lifecycle',
] as const;

const cause = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('send'), ...tagged, group: z.string().nullable() }),
  z.looseObject({ type: z.literal('external'), ...tagged }),
  z.looseObject({ type: z.literal('importer') }),
  z.looseObject({ type: z.literal('witness'), size: z.int() }),
  z.looseObject({ type: z.literal('retention'), archived: z.int(), through: z.string() }),
  z.looseObject({ type: z.literal('tick'), tag: z.string(), due: z.string() }),
  z.looseObject({ type: z.literal('retry'), tag: z.string(), input: z.string(), attempt: z.int() }),
  z.looseObject({
    type: z.literal('lifecycle'),
    action: z.string(),
    did: z.string(),
    definition: z.int().optional().describe('The revision of the definition after an edit.'),
  }),
]);

const ids = z.array(z.string());

export const journalEntry = component(
  'JournalEntry',
  z.looseObject({
    id: z.string().describe("The policy's revision after the unit, in twelve digits."),
    at: z.string(),
    cause,
    events: z
      .array(
        z.looseObject({
          source: z.string(),
          output: z.string(),
          target: z.string(),
          input: z.string(),
          did: z.string(),
        }),
      )
      .describe('Every event, in order.'),
    documents: z.looseObject({ added: ids, changed: ids, removed: ids }),
    effects: ids.describe('Ids of the ledger effects.'),
    traceparent: z.string().optional().describe('The W3C trace context of the request that caused it, if any.'),
    warnings: z.array(
      z.looseObject({
        tag: z.string(),
        code: z.string(),
        message: z.string(),
        action: z.string().optional(),
        facts: json.optional(),
      }),
    ),
  }),
);
