/** The blocks of a definition by id: each with its parent, its position, and where it is in the configuration. */
import { childrenOf, isRecord, stepsOf, type Source } from './operations.js';

export interface BlockAt {
  readonly id: string;
  readonly tag: string;
  readonly type: string;
  readonly source: Source;
  /** Of the root: `null`. */
  readonly parent: string | null;
  readonly index: number;
}

export interface Blocks {
  readonly root: string;
  /** In tree order. */
  readonly byId: ReadonlyMap<string, BlockAt>;
  readonly byTag: ReadonlyMap<string, BlockAt>;
  readonly tags: ReadonlySet<string>;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export function blocksOf(config: Source): Blocks {
  const byId = new Map<string, BlockAt>();
  const byTag = new Map<string, BlockAt>();
  const add = (source: Source, parent: string | null, index: number): void => {
    const at = { id: text(source['id']), tag: text(source['tag']), type: text(source['blockType']) };
    const block = { ...at, source, parent, index };
    byId.set(block.id, block);
    if (block.tag !== '' && !byTag.has(block.tag)) byTag.set(block.tag, block);
    childrenOf(source).forEach((child, position) => {
      add(child, block.id, position);
    });
  };
  add(config, null, 0);
  return { root: text(config['id']), byId, byTag, tags: new Set(byTag.keys()) };
}

/** The block that a JSON pointer into the configuration leads to or into, and the steps from there. */
export function blockAtPointer(config: Source, pointer: string): { id: string; steps: string[] } {
  let block = config;
  const steps = stepsOf(pointer);
  while (steps[0] === 'children' && steps.length > 1) {
    const child = childrenOf(block)[Number(steps[1])];
    if (child === undefined) break;
    block = child;
    steps.splice(0, 2);
  }
  return { id: text(block['id']), steps };
}

export const permissionsOf = ({ permissions }: Source): readonly string[] =>
  Array.isArray(permissions) ? permissions.filter((each) => typeof each === 'string') : [];

export interface LinkSource {
  readonly source: string;
  readonly target: string;
  readonly output: string;
  readonly input: string;
}

export const linksOf = ({ events }: Source): readonly LinkSource[] =>
  Array.isArray(events)
    ? events.filter(isRecord).map(({ source, target, output, input }) => ({
        ...{ source: text(source), target: text(target), output: text(output), input: text(input) },
      }))
    : [];
