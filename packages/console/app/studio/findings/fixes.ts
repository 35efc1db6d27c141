/** What mends a finding, as edits: what it suggests itself, and what its code and its place allow. */
import type { Finding } from '../../policy/finding.js';
import { blockAtPointer, permissionsOf, type BlockAt, type Blocks } from '../draft/blocks.js';
import {
  freeTag,
  pointerOf,
  tagFromTitle,
  valueIn,
  type BlockType,
  type Definition,
  type EditOperation,
} from '../draft/operations.js';
import { choicesFor } from '../properties/references.js';
import { rolesText, studioTexts } from '../texts.js';
import { disconnecting, suggestedFixes, type Fix } from './suggested.js';

export type { Fix } from './suggested.js';

const texts = studioTexts.findings.fixes;

/** Proposals of one kind, of which there may be many. */
const MOST = 4;

interface Case {
  readonly definition: Definition;
  readonly blocks: Blocks;
  readonly types: ReadonlyMap<string, BlockType>;
  readonly block: BlockAt;
  /** Into the block. */
  readonly steps: readonly string[];
  /** What is there. */
  readonly value: unknown;
}

export function fixesOf(
  finding: Finding,
  definition: Definition,
  blocks: Blocks,
  types: ReadonlyMap<string, BlockType>,
): readonly Fix[] {
  // Switching it on says more than the value that this takes.
  const suggested = finding.code === 'ADDON_SWITCHED_OFF' ? [] : suggestedFixes(finding, { definition, blocks, types });
  const { id, steps } = blockAtPointer(definition.config, finding.path);
  const block = blocks.byId.get(id);
  if (block === undefined || finding.pointer !== undefined) return suggested;
  const value = valueIn(block.source, steps);
  const others = byCode[finding.code]?.({ definition, blocks, types, block, steps, value }) ?? [];
  const labels = new Set(suggested.map(({ label }) => label));
  return [...suggested, ...others.filter(({ label }) => !labels.has(label))];
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

const unlink = ({ block, steps: [list, position] }: Case): Fix[] =>
  list === 'events' ? [{ label: texts.disconnect, operations: disconnecting(block, Number(position)) }] : [];

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
  const choices = choicesFor(each.steps.at(-1) ?? '', each.definition, each.blocks)?.choices ?? [];
  return choices
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
  BLOCK_TYPE_UNKNOWN: removeBlock,
  BLOCK_MISPLACED: removeBlock,
  ADDON_SWITCHED_OFF: activate,
  OPTION_MISSPELT: remove,
  OPTION_UNKNOWN: remove,
  OPTION_IGNORED: remove,
  PERMISSION_UNKNOWN: (each) => [...addRole(each), ...remove(each)],
  PERMISSION_MISSING: openLikeParent,
  BLOCK_UNREACHABLE: openLikeParent,
  TAG_MISSING: freshTag,
  TAG_REPEATED: freshTag,
  REFERENCE_UNKNOWN: (each) => [...references(each), ...remove(each)],
  LINK_DANGLING: unlink,
  LINK_REPEATED: unlink,
  LINK_NEVER_FIRES: unlink,
  DEPENDENCY_UNKNOWN: remove,
};
