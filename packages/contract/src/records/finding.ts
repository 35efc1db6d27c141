/** A problem of a policy. */
import { z } from 'zod';
import { component } from '../component.js';

const at = z
  .string()
  .describe('JSON pointer, as `path`; as `pointer`, for a finding that has one; with `schema`, into its document.');
const schema = z.string().optional().describe('IRI of the schema that is to be changed.');

const suggestion = component(
  'Suggestion',
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('value'), at, value: z.union([z.string(), z.number(), z.boolean()]), schema }),
    z.object({ kind: z.literal('removal'), at, schema }),
    z.object({
      kind: z.literal('name'),
      at,
      name: z.string().describe('What the member there is meant to be called.'),
    }),
    z.object({
      kind: z.literal('block'),
      at,
      blockType: z.string().describe('The type of the child that the block lacks.'),
      place: z.literal('after').optional().describe('Such a block is missing right after it, not in it.'),
    }),
  ]),
  { kind: 'value', at: '/children/3/blockType', value: 'buttonBlock' },
);

export const finding = component(
  'Finding',
  z.looseObject({
    severity: z.enum(['error', 'warning', 'information']),
    code: z.string(),
    message: z.string(),
    path: z.string().describe('JSON pointer (RFC 6901) into the configuration of the policy.'),
    block: z.string().optional().describe('UUID of the block.'),
    tag: z.string().optional(),
    pointer: z.string().optional().describe('JSON pointer into the file, for what is not in the configuration.'),
    file: z.string().optional().describe('The file that it is in, if the policy was read from an archive.'),
    line: z.int().optional().describe('Where it is in the text that the policy was read from, counted from 1.'),
    column: z.int().optional(),
    suggestions: z.array(suggestion).optional().describe('What would mend it, most likely first.'),
  }),
  {
    severity: 'error',
    code: 'BLOCK_TYPE_UNKNOWN',
    message: 'This engine does not know the block type butonBlock (did you mean "buttonBlock"?).',
    path: '/children/3',
    tag: 'custom',
    suggestions: [{ kind: 'value', at: '/children/3/blockType', value: 'buttonBlock' }],
  },
);
