/** What mends a finding, as edits: from its code, its place, and what its message proposes. */
import type { Finding } from '../../policy/finding.js';
import { blockAtPointer, linksOf, permissionsOf, type BlockAt, type Blocks } from '../draft/blocks.js';
import {
  freeTag,
  newBlock,
  pointerOf,
  tagFromTitle,
  valueIn,
  type BlockType,
  type Definition,
  type EditOperation,
} from '../draft/operations.js';
import { knownFor } from '../properties/references.js';
import { rolesText, studioTexts } from '../texts.js';

const texts = studioTexts.findings.fixes;

export interface Fix {
  readonly label: string;
  readonly operations: readonly EditOperation[];
}

/** Proposals of one kind, of which there may be many. */
const MOST = 4;

interface Case {
  readonly finding: Finding;
  readonly definition: Definition;
  readonly blocks: Blocks;
  readonly types: ReadonlyMap<string, BlockType>;
  readonly block: BlockAt;
  /** Into the block. */
  readonly steps: readonly string[];
  /** What is there. */
  readonly value: unknown;
  /** The name that the message says was meant. */
  readonly meant: string | undefined;
}

export function fixesOf(
  finding: Finding,
  definition: Definition,
  blocks: Blocks,
  types: ReadonlyMap<string, BlockType>,
): readonly Fix[] {
  const { id, steps } = blockAtPointer(definition.config, finding.path);
  const block = blocks.byId.get(id);
  if (block === undefined) return [];
  const value = valueIn(block.source, steps);
  const meant = /did you mean "([^"]+)"/.exec(finding.message)?.[1];
  return byCode[finding.code]?.({ finding, definition, blocks, types, block, steps, value, meant }) ?? [];
}

const set = ({ block }: Case, steps: readonly string[], value: unknown): EditOperation => ({
  ...{ op: 'setOption', block: block.id, path: pointerOf(steps), value },
});

const remove = ({ block, steps, value }: Case): Fix[] =>
  steps.length === 0 || value === undefined
    ? []
    : [
        {
          // An entry of a list has no name but itself.
          label: texts.remove(isIndex(steps.at(-1)) && typeof value === 'string' ? value : (steps.at(-1) ?? '')),
          operations: [{ op: 'unsetOption', block: block.id, path: pointerOf(steps) }],
        },
      ];

const isIndex = (step: string | undefined): boolean => /^\d+$/.test(step ?? '');

const useMeant = (each: Case): Fix[] =>
  each.meant === undefined || typeof each.value !== 'string'
    ? []
    : [{ label: texts.use(each.meant), operations: [set(each, each.steps, each.meant)] }];

/** The member of another name. */
function rename(each: Case): Fix[] {
  const { block, steps, value, meant } = each;
  if (meant === undefined || value === undefined) return [];
  const to = [...steps.slice(0, -1), meant];
  if (valueIn(block.source, to) !== undefined) return [];
  const gone: EditOperation = { op: 'unsetOption', block: block.id, path: pointerOf(steps) };
  return [{ label: texts.rename(meant), operations: [gone, set(each, to, value)] }];
}

function expected(each: Case): Fix[] {
  const [, values = ''] = /expected one of ((?:"[^"]*"(?:, )?)+)/.exec(each.finding.message) ?? [];
  return [...values.matchAll(/"([^"]+)"/g)]
    .slice(0, MOST)
    .map(([, value = '']) => ({ label: texts.use(value), operations: [set(each, each.steps, value)] }));
}

function missingChild({ finding, types, block, blocks }: Case): Fix[] {
  const [, name = ''] = /Give it an? (\w+)/.exec(finding.message) ?? [];
  const type = types.get(name);
  if (type === undefined) return [];
  const child = newBlock(type, blocks.tags, permissionsOf(block.source));
  return [{ label: texts.add(type.title), operations: [{ op: 'addBlock', parent: block.id, block: child }] }];
}

const ends = ['target', 'source', 'output', 'input'] as const;

function relink(each: Case): Fix[] {
  const { block, steps, meant, finding } = each;
  const position = Number(steps[1]);
  const links = linksOf(block.source);
  const link = links[position];
  if (steps[0] !== 'events' || link === undefined) return [];
  const index = links.slice(0, position).filter((other) => ends.every((end) => other[end] === link[end])).length;
  const gone: EditOperation = { op: 'disconnect', block: block.id, link, index };
  const end = meant === undefined ? undefined : ends.find((name) => isHinted(finding.message, link[name]));
  const mended: Fix[] =
    meant === undefined || end === undefined
      ? []
      : [
          {
            label: texts.leadTo(meant),
            operations: [
              gone,
              { op: 'connect', block: block.id, link: { actor: '', ...link, [end]: meant }, index: position },
            ],
          },
        ];
  return [...mended, { label: texts.disconnect, operations: [gone] }];
}

/** Whether this is the name that the hint of the message is about: the last one before it. */
function isHinted(message: string, name: string): boolean {
  const [before = ''] = message.split(' (did you mean');
  return name !== '' && new RegExp(`(^|[\\s"])${name.replaceAll(/[^\w-]/g, '.')}"?$`).test(before);
}

function openLikeParent(each: Case): Fix[] {
  const { block, blocks } = each;
  const parent = blocks.byId.get(block.parent ?? '');
  const roles = parent === undefined ? ['ANY_ROLE'] : permissionsOf(parent.source);
  if (roles.length === 0) return [];
  return [{ label: texts.openTo(rolesText(roles)), operations: [set(each, ['permissions'], roles)] }];
}

const addRole = ({ value }: Case): Fix[] =>
  typeof value !== 'string' || value === ''
    ? []
    : [{ label: texts.addRole(value), operations: [{ op: 'addEntry', list: 'policyRoles', value }] }];

function references(each: Case): Fix[] {
  const known = knownFor(each.steps.at(-1) ?? '', each.definition, each.blocks)?.choices ?? [];
  return known
    .slice(0, MOST)
    .map(({ value, label }) => ({ label: texts.use(label), operations: [set(each, each.steps, value)] }));
}

function freshTag({ block, blocks, types }: Case): Fix[] {
  const wanted = block.tag === '' ? tagFromTitle(types.get(block.type)?.title ?? block.type) : block.tag;
  const tag = freeTag(wanted, blocks.tags);
  // Who names the tag means the other block.
  return [{ label: texts.rename(tag), operations: [{ op: 'renameTag', block: block.id, tag, references: [] }] }];
}

const removeBlock = ({ block }: Case): Fix[] =>
  block.parent === null
    ? []
    : [{ label: texts.remove(block.tag || block.type), operations: [{ op: 'removeBlock', block: block.id }] }];

const activate = (each: Case): Fix[] => [{ label: texts.activate, operations: [set(each, ['defaultActive'], true)] }];

const byCode: Readonly<Record<string, (each: Case) => Fix[]>> = {
  BLOCK_TYPE_UNKNOWN: (each) => [
    ...(each.meant === undefined
      ? []
      : [{ label: texts.use(each.meant), operations: [set(each, ['blockType'], each.meant)] }]),
    ...removeBlock(each),
  ],
  BLOCK_MISPLACED: removeBlock,
  ADDON_SWITCHED_OFF: activate,
  OPTIONS_INVALID: (each) => [...useMeant(each), ...expected(each), ...missingChild(each)],
  OPTION_MISSPELT: (each) => [...rename(each), ...remove(each)],
  OPTION_UNKNOWN: (each) => [...rename(each), ...remove(each)],
  OPTION_IGNORED: remove,
  PERMISSION_UNKNOWN: (each) => [...useMeant(each), ...addRole(each), ...remove(each)],
  PERMISSION_MISSING: openLikeParent,
  BLOCK_UNREACHABLE: openLikeParent,
  TAG_MISSING: freshTag,
  TAG_REPEATED: freshTag,
  REFERENCE_UNKNOWN: (each) => [...useMeant(each), ...references(each), ...remove(each)],
  LINK_DANGLING: relink,
  LINK_REPEATED: relink,
  LINK_NEVER_FIRES: relink,
  DEPENDENCY_UNKNOWN: (each) => [...useMeant(each), ...remove(each)],
  VALUE_UNWRITTEN: useMeant,
};
