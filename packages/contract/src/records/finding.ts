/** A problem of a policy. */
import { z } from 'zod';
import { component } from '../component.js';

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
  }),
  {
    severity: 'error',
    code: 'BLOCK_TYPE_UNKNOWN',
    message: 'No block type is called "customBlock".',
    path: '/children/3',
    tag: 'custom',
  },
);
