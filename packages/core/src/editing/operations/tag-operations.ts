/** Renames the tag of a block with everything that refers to it. */
import { walkTree } from '../../policy/index.js';
import type { BlockSource } from '../../records/index.js';
import type { Applied, OperationOf } from './applied.js';
import type { EditDraft } from './edit-draft.js';
import { stepsOf, valueAt } from './json-place.js';
import { blockPlace, entryPlace, optionPlace, tagPlace } from './places.js';
import { tagReferences } from './tag-references.js';

type Place = Exclude<OperationOf<'renameTag'>['references'], undefined>[number];

export function renameTag(
  draft: EditDraft,
  { op, block: reference, tag: to, ...change }: OperationOf<'renameTag'>,
): Applied {
  const { block } = draft.block(reference);
  const from = block.tag;
  if (change.repeated !== true && to !== '' && to !== from) assertFree(draft, to);
  const blocks = new Map(walkTree(draft.own('config')).map((each) => [each.block.id, each.block]));
  const places = change.references ?? (to === '' ? [] : namedBy(draft, block, blocks));
  const renamed = places.filter((place) => rename(draft, blocks, place, from, to, block));
  block.tag = to;
  const tags = [from, to].filter((tag) => tag !== '').map(tagPlace);
  return {
    operation: { op, block: block.id, tag: to, references: renamed, ...(change.repeated && { repeated: true }) },
    inverse: { op, block: block.id, tag: from, references: renamed, repeated: true },
    writes: [optionPlace(block.id, '/tag'), ...tags, ...renamed.map(placeOf)],
    reads: [blockPlace(block.id)],
  };
}

function assertFree(draft: EditDraft, tag: string): void {
  const holder = walkTree(draft.definition.config).find(({ block }) => block.tag === tag);
  if (holder !== undefined) draft.refuse('/tag', `another block has the tag "${tag}"; tags are unique in a policy`);
}

/** Of several blocks with one tag, references mean the first. */
function namedBy(draft: EditDraft, block: BlockSource, blocks: ReadonlyMap<string, BlockSource>): Place[] {
  const isFirst = [...blocks.values()].find(({ tag }) => tag === block.tag) === block;
  if (block.tag === '' || !isFirst) return [];
  return tagReferences(draft.definition)
    .filter(({ tag }) => renamedIn(block, tag, block.tag, '') !== undefined)
    .map(({ block: id, path }) => ({ block: id, path }));
}

/** Whether the place named the block. */
function rename(
  draft: EditDraft,
  blocks: ReadonlyMap<string, BlockSource>,
  { block: id, path }: Place,
  from: string,
  to: string,
  renamed: BlockSource,
): boolean {
  const steps = stepsOf(path);
  const root = id === null ? draft.own('policyNavigation') : blocks.get(id);
  const target = valueAt(root, steps.slice(0, -1)) as Record<string, unknown> | undefined;
  const name = steps.at(-1) ?? '';
  const tag = valueAt(target, [name]);
  const value = typeof tag === 'string' ? renamedIn(renamed, tag, from, to) : undefined;
  if (target === undefined || value === undefined) return false;
  target[name] = value;
  return true;
}

/** Blocks of a tool have tags that begin with that of the tool. */
function renamedIn({ blockType }: BlockSource, tag: string, from: string, to: string): string | undefined {
  if (tag === from) return to;
  return blockType === 'tool' && tag.startsWith(`${from}:`) ? to + tag.slice(from.length) : undefined;
}

const placeOf = ({ block, path }: Place): string =>
  block === null ? entryPlace('policyNavigation', '') : optionPlace(block, path);
