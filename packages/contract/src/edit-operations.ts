/** `@blockwork/contract/edit-operations`: the operations that change the definition of a draft, as data. */
import { z } from 'zod';
import { component } from './component.js';

/** The lists of a definition, whose entries are added, replaced and removed one by one. */
export const editedLists = [
  'policyRoles',
  'policyGroups',
  'policyTopics',
  'policyTokens',
  'policyNavigation',
  'categories',
  'schemas',
  'tokens',
] as const;

export type EditedList = (typeof editedLists)[number];

const block = z.string().min(1).max(500).describe('The id of the block, or its tag.');
const index = z.int().nonnegative().optional().describe('Position among the others; last if absent.');
const path = z
  .string()
  .max(2_000)
  .regex(/^(\/([^~/]|~[01])*)+$/, 'must be a JSON pointer, such as "/uiMetaData/title"')
  .describe('JSON pointer (RFC 6901) into the block. The last step `-` is the end of a list.');
const subtree = z.looseObject({ blockType: z.string().min(1) }).describe('A block as in a policy file.');
const list = z.enum(editedLists);
const entry = z
  .union([z.string().max(500), z.int().nonnegative()])
  .describe('The name of the entry (of a schema its IRI, of a token its id), or its position.');

const end = z.string().max(500);
const link = z.looseObject({
  source: end.optional().describe('Tag of the source; the block itself if absent.'),
  target: end,
  output: end,
  input: end,
  actor: z.enum(['', 'owner', 'issuer']).nullish(),
  disabled: z.boolean().optional(),
});

const place = z.strictObject({
  block: z.string().max(500).nullable().describe('The id of the block; `null` for the navigation.'),
  path: z.string().max(2_000),
});

const editOperation = component(
  'EditOperation',
  z.discriminatedUnion('op', [
    z.strictObject({ op: z.literal('addBlock'), parent: block, index, block: subtree }),
    z.strictObject({ op: z.literal('removeBlock'), block }),
    z.strictObject({ op: z.literal('moveBlock'), block, parent: block, index }),
    z.strictObject({ op: z.literal('replaceBlock'), block, value: subtree }),
    z.strictObject({
      op: z.literal('setOption'),
      block,
      path,
      value: z.unknown(),
      before: z.string().max(500).optional().describe('The member that a new member is written before.'),
      insert: z.literal(true).optional().describe('Inserts into a list instead of replacing the item.'),
    }),
    z.strictObject({ op: z.literal('unsetOption'), block, path }),
    z.strictObject({
      op: z.literal('renameTag'),
      block,
      tag: z.string().max(500),
      references: z.array(place).optional().describe('The references to rename; all if absent.'),
      repeated: z.literal(true).optional().describe('Allows a tag that another block has.'),
    }),
    z.strictObject({ op: z.literal('connect'), block, link, index }),
    z.strictObject({
      op: z.literal('disconnect'),
      block: block.describe('The block that the link is written at: usually its source.'),
      link: z.strictObject({ source: end.optional(), target: end, output: end, input: end }),
      index: z.int().nonnegative().optional().describe('Which one, if the block has several such links.'),
    }),
    z.strictObject({
      op: z.literal('setText'),
      name: z.enum(['name', 'description', 'topicDescription']),
      value: z.string().max(100_000),
    }),
    z.strictObject({ op: z.literal('addEntry'), list, value: z.unknown(), index }),
    z.strictObject({ op: z.literal('setEntry'), list, entry, value: z.unknown() }),
    z.strictObject({ op: z.literal('removeEntry'), list, entry }),
    z.strictObject({ op: z.literal('replaceList'), list, value: z.array(z.unknown()) }),
  ]),
  { op: 'setOption', block: 'apply', path: '/uiMetaData/title', value: 'Apply' },
);

/** An edit is applied as a whole, or not at all. */
export const editOperations = z.array(editOperation).min(1).max(1_000);

export type EditOperation = z.infer<typeof editOperation>;
