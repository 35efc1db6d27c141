/** Live events: they name what changed in a policy, never the data. */
import { z } from 'zod';
import { component } from '../component.js';

const id = z.string().describe('Cursor after this event, for `after` and `Last-Event-ID`.');

const policyId = z.string().describe("The policy's id.");

const moved = {
  id,
  policyId,
  revision: z.int().describe('Revision of the policy after the unit of work.'),
  at: z.string().describe('Start of the unit of work.'),
};

export const policyEvent = component(
  'PolicyEvent',
  z.discriminatedUnion('type', [
    z
      .looseObject({
        type: z.literal('open'),
        id,
        policyIds: z.array(z.string()).describe('The policies covered by the stream.'),
      })
      .describe('The first event of every stream.'),
    z
      .looseObject({
        type: z.literal('unit'),
        ...moved,
        cause: z
          .enum(['send', 'external', 'importer', 'tick', 'retry', 'lifecycle'])
          .describe('What caused the unit of work.'),
        tags: z.array(z.string()).describe('Blocks to read again, limited to those the caller is permitted to use.'),
        documents: z.boolean().describe('Whether any document was added, changed or removed.'),
      })
      .describe('A unit of work was committed.'),
    z
      .looseObject({
        type: z.literal('status'),
        ...moved,
        action: z.string().describe('The lifecycle action, such as `publish`.'),
        definition: z.int().optional().describe('The revision of the definition after an edit.'),
      })
      .describe('The status of the policy may have changed.'),
    z
      .looseObject({ type: z.literal('gap'), id, policyId })
      .describe('Units of work were skipped: anything in the policy may have changed.'),
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
