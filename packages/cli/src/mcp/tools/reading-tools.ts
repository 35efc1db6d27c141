/** Tools that read policies. */
import { isObject } from '@blockwork/core/records';
import { z } from 'zod';
import { exitCodes } from '../../line/exit-codes.js';
import { CommandError } from '../../line/failure.js';
import { offset, policy } from './inputs.js';
import { pageFrom } from './pages.js';
import { reads, tool } from './tool.js';

const listPolicies = tool({
  name: 'list_policies',
  title: 'List policies',
  description: 'Lists the policies that these tools may work on, and says of each why it cannot be edited, if so.',
  input: z.strictObject({ offset }),
  hints: reads,
  run: async ({ offset: from }, { workspace }) => pageFrom(await workspace.list(), from),
});

const readPolicy = tool({
  name: 'read_policy',
  title: 'Read a policy',
  description:
    'Reads a policy. Without "at": an outline with its name, roles, groups, schemas, tokens and the tree of its blocks. With "at": that part of its definition as JSON, such as "/config/children/0", "/schemas/1" or "/policyGroups", or a block by its tag, such as "#apply".',
  input: z.strictObject({
    policy,
    at: z.string().max(2_000).optional().describe('JSON pointer into the definition, or "#" and the tag of a block.'),
    offset: offset.describe('In an outline: how many blocks to leave out.'),
  }),
  hints: reads,
  narrower: 'Ask for a part of it, with "at".',
  run: ({ policy: name, at, offset: from }, { workspace }) =>
    workspace.use(name, async ({ id, client }) => {
      const { definition, revision } = await client.policy(id).definition();
      if (at === undefined) return { revision, ...outline(definition, from) };
      return { revision, at, value: at.startsWith('#') ? blockAt(definition.config, at) : valueAt(definition, at) };
    }),
});

type Members = Readonly<Record<string, unknown>>;

function outline(definition: Members & { readonly config: Members }, from: number): object {
  const { name, description, policyRoles, policyGroups, policyTopics, policyTokens, config } = definition;
  const names = (list: unknown, member: string): unknown[] =>
    (Array.isArray(list) ? list : []).map((each: unknown) => (isObject(each) ? each[member] : each)).slice(0, 500);
  return {
    name,
    description,
    roles: names(policyRoles, ''),
    groups: names(policyGroups, 'name'),
    topics: names(policyTopics, 'name'),
    tokenTemplates: names(policyTokens, 'templateTokenTag'),
    schemas: named(definition['schemas'], ['iri', 'name']),
    tokens: named(definition['tokens'], ['tokenId', 'tokenSymbol']),
    blocks: pageFrom([...lines(config, '/config', 0)], from, 40_000),
  };
}

const named = (list: unknown, members: readonly string[]): unknown[] =>
  (Array.isArray(list) ? list : [])
    .filter(isObject)
    .slice(0, 200)
    .map((entry) => members.map((member) => entry[member]).join(' '));

/** A line per block, indented by its depth. */
function* lines(block: Members, at: string, depth: number): Generator<string> {
  const { tag, blockType, permissions } = block;
  const who = Array.isArray(permissions) ? permissions.join(', ') : '';
  yield `${'  '.repeat(Math.min(depth, 40))}#${String(tag)} ${String(blockType)} [${who}] ${at}`;
  const children: unknown[] = Array.isArray(block['children']) ? block['children'] : [];
  for (const [index, child] of children.entries()) {
    if (isObject(child)) yield* lines(child, `${at}/children/${String(index)}`, depth + 1);
  }
}

function blockAt(config: Members, at: string): unknown {
  const tag = at.slice(1);
  const open: Members[] = [config];
  for (let block = open.pop(); block !== undefined; block = open.pop()) {
    if (block['tag'] === tag) return block;
    if (Array.isArray(block['children'])) open.push(...block['children'].filter(isObject));
  }
  throw absent(`There is no block with the tag "${tag}" in this policy. Its outline lists all tags.`);
}

function valueAt(definition: Members, pointer: string): unknown {
  const steps = pointer.split('/').slice(1);
  return steps.reduce<unknown>((value, step) => {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
    if (!isThere) throw absent(`There is nothing at "${pointer}": "${name}" does not exist${membersOf(value)}.`);
    return (value as Members)[name];
  }, definition);
}

const membersOf = (value: unknown): string =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? `, but ${Object.keys(value).slice(0, 40).join(', ') || 'nothing'}`
    : '';

const absent = (message: string): CommandError => new CommandError(exitCodes.usage, message, 'PART_UNKNOWN');

export const readingTools = [listPolicies, readPolicy];
