/** Sites: the blocks that accept data, each with the grids that open it from their rows. */
import { gridColumns, REFRESH, RUN, type BlockNode, type BlockType, type PolicyTree } from '@blockwork/core/block';
import { whoOf, type Player } from './player.js';

export interface Site {
  readonly node: BlockNode;
  /** Grids with a column that opens the block from a row, and the grid that holds it. */
  readonly grids: readonly BlockNode[];
  /** The sources whose rows open the block. */
  readonly sources: readonly BlockNode[];
}

/** The abilities of a block's type; `null` if it is unknown or its options are invalid. */
export const typeOf = ({ definition, options }: BlockNode): BlockType | null => (options === null ? null : definition);

export function sitesOf({ blocks }: PolicyTree): Site[] {
  const columns = blocks.flatMap(gridColumns);
  const takers = blocks.filter((node) => isTaker(node) || typeOf(node)?.external !== undefined);
  return takers.map((node) => {
    const opening = columns.filter((column) => column.bindBlock === node.tag || column.bindBlocks.includes(node.tag));
    const { parent } = node;
    const around = parent !== null && isGrid(parent) && !servesGrid(node) ? [parent] : [];
    const sources = [
      ...opening.flatMap(({ grid, source }) => (source === null ? sourcesOf(grid) : [source])),
      ...around.flatMap(sourcesOf),
    ];
    return {
      node,
      grids: [...new Set([...opening.map(({ grid }) => grid), ...around])],
      sources: [...new Set(sources)],
    };
  });
}

/** Whether users change more than their view of existing data here. */
export function takesData(node: BlockNode): boolean {
  const type = typeOf(node);
  return type?.receive !== undefined && type.viewState !== true;
}

/** Blocks that only show something emit nothing but word that it has changed, and a button only the output of its name. */
export function mayEmit(node: BlockNode, output: string): boolean {
  const type = typeOf(node);
  if (type === null || output === REFRESH || (output === RUN && node.blockType === 'buttonBlock')) return false;
  const inputs = Object.keys(type.on ?? {});
  const isRun = isForPeople(node) ? inputs.includes(RUN) : inputs.length > 0;
  const runs = type.passesOn === true || type.onPort !== undefined || isRun;
  return runs || takesData(node) || type.external !== undefined || type.timetable !== undefined;
}

export const isForPeople = ({ definition }: BlockNode): boolean =>
  definition?.kind === 'interface' || definition?.kind === 'container' || definition?.kind === 'source';

/** The order of a source is set at its grid. */
const isTaker = (node: BlockNode): boolean => typeOf(node)?.receive !== undefined && node.definition?.kind !== 'source';

export const isGrid = ({ blockType }: BlockNode): boolean => blockType === 'interfaceDocumentsSourceBlock';

/** The sources of a grid, a form or a choice; those of its filters left out. */
export const sourcesOf = ({ children }: BlockNode): BlockNode[] =>
  children.filter(({ definition, options }) => definition?.kind === 'source' && options !== null);

/** Whether the block is `around`, or somewhere below it. */
export function isWithin(node: BlockNode, around: BlockNode): boolean {
  for (let each: BlockNode | null = node; each !== null; each = each.parent) if (each === around) return true;
  return false;
}

/** Sources, filters and pagers belong to the grid, not to one of its rows. */
const servesGrid = ({ definition }: BlockNode): boolean =>
  definition?.kind === 'source' || definition?.kind === 'filter' || definition?.kind === 'paging';

/** Whether every block from the root down permits such a user, regardless of current state. */
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

/** The sites accessible to a player at any time, cached per role. */
export class PermittedSites {
  readonly #byWho = new Map<string, readonly Site[]>();

  constructor(private readonly sites: readonly Site[]) {}

  of(player: Player): readonly Site[] {
    const who = whoOf(player);
    const cached = this.#byWho.get(who);
    if (cached !== undefined) return cached;
    const sites = this.sites.filter(({ node }) => isTaker(node) && isPermitted(node, player));
    this.#byWho.set(who, sites);
    return sites;
  }
}
