/** The graph of a policy: its block tree and the events between blocks. */
import { REFRESH, RELEASE, type BlockKind, type EventLink, type PolicyTree } from '@blockwork/core/block';

export interface GraphBlock {
  /** Position in document order; identifies the block in pictures. */
  readonly index: number;
  readonly tag: string;
  /** Whether the author set the tag. */
  readonly isNamed: boolean;
  readonly blockType: string;
  /** `null` if the type is unknown. */
  readonly kind: BlockKind | null;
  readonly depth: number;
  /** `null` for the root. */
  readonly parent: number | null;
  readonly permissions: readonly string[];
}

export interface GraphLink {
  readonly from: number;
  readonly output: string;
  readonly to: number;
  readonly input: string;
}

export interface PolicyGraph {
  readonly name: string;
  readonly roles: readonly string[];
  readonly blocks: readonly GraphBlock[];
  readonly links: readonly GraphLink[];
}

export function policyGraph(name: string, { blocks, roles }: PolicyTree): PolicyGraph {
  const indexes = new Map(blocks.map((block, index) => [block, index]));
  const depths: number[] = [];
  const nodes = blocks.map((block, index) => {
    const parent = block.parent === null ? null : (indexes.get(block.parent) ?? null);
    const depth = parent === null ? 0 : (depths[parent] ?? 0) + 1;
    depths.push(depth);
    const { tag, named: isNamed, blockType, definition, permissions } = block;
    return { index, tag, isNamed, blockType, kind: definition?.kind ?? null, depth, parent, permissions };
  });
  const links = blocks.flatMap((block, from) =>
    [...block.links.values()]
      .flat()
      .filter((link) => !isImplied(link, block.parent))
      .map(({ output, input, target }) => ({ from, output, to: indexes.get(target) ?? 0, input })),
  );
  return { name, roles, blocks: nodes, links };
}

/** The label of a block in a picture. */
export const labelOf = ({ tag, isNamed, blockType }: GraphBlock): string => (isNamed ? tag : `(${blockType})`);

/** Every block notifies its parent that it changed or finished; in a picture, these links would hide the others. */
const isImplied = ({ output, target }: EventLink, parent: EventLink['target'] | null): boolean =>
  target === parent && (output === REFRESH || output === RELEASE);
