/** Live events: what moved in a policy, never the data. */
import { z } from 'zod';
import { component } from '../component.js';

const id = z.string().describe('Where the stream is after this event, for `after` and `Last-Event-ID`.');

const policyId = z.string().describe('Of the policy.');

const moved = {
  id,
  policyId,
  revision: z.int().describe('Of the policy, after the unit of work.'),
  at: z.string().describe('When the unit of work began.'),
};

export const policyEvent = component(
  'PolicyEvent',
  z.discriminatedUnion('type', [
    z
      .looseObject({
        type: z.literal('open'),
        id,
        policyIds: z.array(z.string()).describe('Of the policies that the stream is about.'),
      })
      .describe('The first event of every stream.'),
    z
      .looseObject({
        type: z.literal('unit'),
        ...moved,
        cause: z
          .enum(['send', 'external', 'importer', 'tick', 'retry', 'lifecycle'])
          .describe('What the unit of work was for.'),
        tags: z
          .array(z.string())
          .describe('Of the blocks to read again; only those whose permissions admit the caller.'),
        documents: z.boolean().describe('Whether documents were added, changed or removed.'),
      })
      .describe('A unit of work was committed.'),
    z
      .looseObject({
        type: z.literal('status'),
        ...moved,
        action: z.string().describe('What was done with the policy, such as `publish`.'),
      })
      .describe('The status of the policy may have changed.'),
    z
      .looseObject({ type: z.literal('gap'), id, policyId })
      .describe('Units were left out: everything of the policy may have changed.'),
  ]),
  {
    type: 'unit',
    id: '000000000042',
    policyId: 'energy-certificates',
    revision: 42,
    at: '2026-03-14T09:26:53.589Z',
    cause: 'send',
    tags: ['application_form', 'applications_grid'],
    documents: true,
  },
);
