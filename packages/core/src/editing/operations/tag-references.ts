/** Every place in a definition that names a block by its tag. */
import { pointerOf, standardOutputs, walkTree } from '../../policy/index.js';
import { isObject, type BlockSource, type EventSource } from '../../records/index.js';
import type { PolicyDefinition } from './definition.js';

export interface TagReference {
  /** The id of the block; `null` for the navigation of the policy. */
  readonly block: string | null;
  /** JSON pointer into the block, or into the navigation. */
  readonly path: string;
  readonly tag: string;
}

/** Members of the columns of a grid that open blocks. */
const columnMembers = ['bindGroup', 'bindBlock', 'bindBlocks'];
const optionMembers = ['dependencies', 'finalBlocks', 'errorFallbackTag'];

export function tagReferences({ config, policyNavigation }: PolicyDefinition): TagReference[] {
  const references: TagReference[] = [];
  const add = (block: string | null, steps: readonly PropertyKey[], value: unknown): void => {
    if (typeof value === 'string') references.push({ block, path: pointerOf(steps), tag: value });
    else if (Array.isArray(value)) value.forEach((each, index) => add(block, [...steps, index], each));
  };
  const positions = walkTree(config);
  const parentTags = new Map<string, ReadonlySet<string>>();
  for (const { block } of positions) parentTags.set(block.tag, new Set(block.children.map(({ tag }) => tag)));
  for (const { block } of positions) {
    for (const member of optionMembers) add(block.id, [member], block[member]);
    for (const member of ['events', 'innerEvents'] as const) {
      (block[member] ?? []).forEach((link, index) => addLink(block, link, [member, index]));
    }
    const { fields } = block.uiMetaData;
    if (!Array.isArray(fields)) continue;
    fields.forEach((column: unknown, index) => {
      if (!isObject(column)) return;
      for (const member of columnMembers) add(block.id, ['uiMetaData', 'fields', index, member], column[member]);
    });
  }
  policyNavigation.forEach(({ steps }, entry) =>
    (steps ?? []).forEach(({ block }, index) => add(null, [entry, 'steps', index, 'block'], block)),
  );
  return references;

  function addLink(block: BlockSource, { source, target, output }: EventSource, steps: readonly PropertyKey[]): void {
    add(block.id, [...steps, 'source'], source);
    add(block.id, [...steps, 'target'], target);
    // Grids emit the tags of their children.
    if (!isStandard(output) && parentTags.get(source)?.has(output) === true)
      add(block.id, [...steps, 'output'], output);
  }
}

const isStandard = (output: string): boolean => (standardOutputs as readonly string[]).includes(output);
