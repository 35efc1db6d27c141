/** Where users can act: the blocks that take data, each with the grids that open it from their rows. */
import { gridColumns, type BlockNode, type BlockType, type PolicyTree } from '@blockwork/core/block';
import { whoOf, type Player } from './player.js';

export interface Site {
  readonly node: BlockNode;
  /** Grids with a column that opens the block from a row, and the grid that holds it. */
  readonly grids: readonly BlockNode[];
}

/** The abilities of a block's type; `null` where it is unknown or its options are invalid. */
export const typeOf = ({ definition, options }: BlockNode): BlockType | null => (options === null ? null : definition);

export function sitesOf({ blocks }: PolicyTree): Site[] {
  const columns = blocks.flatMap(gridColumns);
  const takers = blocks.filter((node) => isTaker(node) || typeOf(node)?.external !== undefined);
  return takers.map((node) => {
    const opening = columns.filter((column) => column.bindBlock === node.tag || column.bindBlocks.includes(node.tag));
    const { parent } = node;
    const around = parent !== null && isGrid(parent) && !servesGrid(node) ? [parent] : [];
    return { node, grids: [...new Set([...opening.map(({ grid }) => grid), ...around])] };
  });
}

/** The order of a source is set at its grid. */
const isTaker = (node: BlockNode): boolean => typeOf(node)?.receive !== undefined && node.definition?.kind !== 'source';

export const isGrid = ({ blockType }: BlockNode): boolean => blockType === 'interfaceDocumentsSourceBlock';

/** Sources, filters and pagers are about the grid, not about one of its rows. */
const servesGrid = ({ definition }: BlockNode): boolean =>
  definition?.kind === 'source' || definition?.kind === 'filter' || definition?.kind === 'paging';

/** Whether every block from the root down lets such a user in, leaving aside what is open now. */
export function isPermitted(node: BlockNode, player: Pick<Player, 'isOwner' | 'role'>): boolean {
  for (let each: BlockNode | null = node; each !== null; each = each.parent) {
    if (!each.permissions.some((permission) => admits(permission, player))) return false;
  }
  return true;
}

function admits(permission: string, { isOwner, role }: Pick<Player, 'isOwner' | 'role'>): boolean {
  if (permission === 'ANY_ROLE') return true;
  if (permission === 'OWNER') return isOwner;
  if (permission === 'NO_ROLE') return role === null && !isOwner;
  return role === permission;
}

/** The sites that a player may ever act at, worked out once for each role. */
export class PermittedSites {
  readonly #byWho = new Map<string, readonly Site[]>();

  constructor(private readonly sites: readonly Site[]) {}

  of(player: Player): readonly Site[] {
    const who = whoOf(player);
    const known = this.#byWho.get(who);
    if (known !== undefined) return known;
    const found = this.sites.filter(({ node }) => isTaker(node) && isPermitted(node, player));
    this.#byWho.set(who, found);
    return found;
  }
}
