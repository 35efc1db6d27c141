/** Static reachability of blocks: a fixed point over events, permissions, steps and documents. */
import { type BlockNode, gridColumns, isObject, type PolicyTree } from '@blockwork/core/block';
import { isServant } from '../coverage.js';
import type { UnreachedReason } from '../exploration.js';
import type { Player } from '../player.js';
import { isForPeople, isPermitted, isWithin, mayEmit, type Site, sitesOf, takesData, typeOf } from '../sites.js';
import { DocumentOrigins } from './document-origins.js';

export interface Obstacle {
  readonly reason: UnreachedReason;
  readonly detail: string;
}

export interface KnownObstacle extends Obstacle {
  /** Neither the program around the engine nor another instance can remove it. */
  readonly isCertain: boolean;
}

/** A program adds documents and opens blocks by their tags, and other instances publish. */
const removable: ReadonlySet<UnreachedReason> = new Set(['hidden', 'no documents', 'another instance']);

/**
 * The reason for each unreachable block. All others are reachable, as far as static analysis can tell. `broken`: blocks
 * otherwise known not to work.
 */
export function unreachableBlocks(
  tree: PolicyTree,
  broken: ReadonlyMap<BlockNode, Obstacle> = new Map(),
): Map<BlockNode, KnownObstacle> {
  const certain = new Reach(tree, broken, removable).obstacles();
  const all = new Reach(tree, broken, new Set()).obstacles();
  return new Map([...all].map(([node, obstacle]) => [node, { ...obstacle, isCertain: certain.has(node) }]));
}

class Reach {
  readonly #people: readonly Who[];
  /** Blocks that a column of a grid opens. */
  readonly #bound: ReadonlySet<string>;
  readonly #sites: ReadonlyMap<BlockNode, Site>;
  readonly #broken: ReadonlyMap<BlockNode, Obstacle>;
  readonly #origins: DocumentOrigins;
  /** Reachable blocks; grows until a fixed point. */
  readonly #alive = new Set<BlockNode>();
  /** Blocks that receive events from reachable blocks. */
  readonly #targets = new Set<BlockNode>();

  constructor(
    private readonly tree: PolicyTree,
    broken: ReadonlyMap<BlockNode, Obstacle>,
    /** Reasons that are no obstacles. */
    private readonly ignored: ReadonlySet<UnreachedReason>,
  ) {
    this.#people = possiblePeople(tree);
    const columns = tree.blocks.flatMap(gridColumns);
    this.#bound = new Set(columns.flatMap(({ bindBlock, bindBlocks }) => [bindBlock, ...bindBlocks]));
    this.#sites = new Map(sitesOf(tree).map((site) => [site.node, site]));
    const own = tree.blocks.flatMap((node): [BlockNode, Obstacle][] => {
      const obstacle = brokenness(node);
      return obstacle === null ? [] : [[node, obstacle]];
    });
    this.#broken = new Map([...own, ...broken].filter(([, { reason }]) => !ignored.has(reason)));
    this.#origins = new DocumentOrigins(tree);
    for (let before = -1; before < this.#alive.size;) {
      before = this.#alive.size;
      for (const node of tree.blocks) if (!this.#alive.has(node) && this.#obstacle(node) === null) this.#add(node);
    }
  }

  obstacles(): Map<BlockNode, Obstacle> {
    const obstacles = new Map<BlockNode, Obstacle>();
    for (const node of this.tree.blocks) {
      if (this.#alive.has(node)) continue;
      const around = node.parent === null ? undefined : obstacles.get(node.parent);
      const isInside = around !== undefined && (isForPeople(node) || isServant(node)) && !this.#broken.has(node);
      const obstacle = isInside ? within(node, around) : this.#obstacle(node);
      if (obstacle !== null) obstacles.set(node, obstacle);
    }
    return obstacles;
  }

  #add(node: BlockNode): void {
    this.#alive.add(node);
    for (const [output, links] of node.links) {
      if (!mayEmit(node, output)) continue;
      for (const { target } of links) this.#targets.add(target);
    }
  }

  #obstacle(node: BlockNode): Obstacle | null {
    const broken = this.#broken.get(node);
    if (broken !== undefined) return broken;
    // Events still run a block that is hidden from or forbidden to the user.
    if (this.#targets.has(node) && !(isForPeople(node) && takesData(node))) return null;
    if (isServant(node)) return this.#servant(node);
    if (!isForPeople(node)) return this.#isStarted(node) ? null : this.#noEvent(node);
    return this.#closed(node) ?? (takesData(node) ? this.#counted(this.#noRows(node)) : null);
  }

  #counted(obstacle: Obstacle | null): Obstacle | null {
    return obstacle === null || this.ignored.has(obstacle.reason) ? null : obstacle;
  }

  /** Why no user can access it. */
  #closed(node: BlockNode): Obstacle | null {
    const { parent } = node;
    const isBound = this.#bound.has(node.tag);
    if (parent !== null && !this.#isShown(parent) && !isBound) {
      const around = this.#obstacle(parent) ?? this.#counted(HIDDEN);
      if (around !== null) return around;
    }
    if (!this.#people.some((who) => isPermitted(node, who))) return nobody(node);
    if (offersNoRole(node)) return { reason: 'no role', detail: 'it offers no role and no group' };
    if (parent?.blockType === 'interfaceStepBlock') return this.#isStepped(node, parent) ? null : this.#noStep(node);
    if (node.defaultActive || parent === null || isBound) return null;
    const isLedTo = JSON.stringify(this.tree.navigation).includes(JSON.stringify(node.tag));
    return isLedTo || parent.blockType === 'interfaceDocumentsSourceBlock' ? null : this.#counted(HIDDEN);
  }

  #isShown(node: BlockNode): boolean {
    return !this.#broken.has(node) && this.#closed(node) === null;
  }

  /** A step starts at its first child and follows events. */
  #isStepped(node: BlockNode, { children }: BlockNode): boolean {
    if (children[0] === node || [...this.#targets].some((target) => isWithin(target, node))) return true;
    return this.tree.blocks.some(
      ({ onError }) =>
        (onError.action === 'goto-step' && children[onError.step] === node) ||
        (onError.action === 'goto-tag' && onError.tag === node.tag),
    );
  }

  #noStep(node: BlockNode): Obstacle {
    return { reason: 'no event', detail: `the step around it never comes to it: ${this.#senders(node)}` };
  }

  #noEvent(node: BlockNode): Obstacle {
    return { reason: 'no event', detail: `no event can reach it: ${this.#senders(node)}` };
  }

  #senders(node: BlockNode): string {
    const senders = this.tree.blocks.filter((each) =>
      [...each.links].some(([output, links]) => mayEmit(each, output) && links.some(({ target }) => target === node)),
    );
    if (senders.length === 0) return 'no block sends it one';
    const names = senders.slice(0, 5).map(({ tag }) => `"${tag}"`);
    return `${names.join(', ')} would send it one, which nothing can reach`;
  }

  /** Children that only serve their parent are reachable with it. */
  #servant(node: BlockNode): Obstacle | null {
    const { parent } = node;
    if (parent === null || this.#alive.has(parent)) {
      return node.definition?.kind === 'addon' || this.#people.some((who) => isPermitted(node, who))
        ? null
        : nobody(node);
    }
    return within(node, this.#obstacle(parent) ?? { reason: 'no event', detail: 'nothing can reach it' });
  }

  /** A block that opens from rows needs a row. */
  #noRows(node: BlockNode): Obstacle | null {
    const sources = this.#sites.get(node)?.sources ?? [];
    if (sources.length === 0) return null;
    const missing = sources.map((source) => this.#origins.missing(source, this.#alive));
    const [first] = missing;
    if (first === undefined || missing.includes(null)) return null;
    return { reason: 'no documents', detail: `"${sources[0]?.tag ?? ''}" can list none: ${first ?? ''}` };
  }

  #isStarted(node: BlockNode): boolean {
    const type = typeOf(node);
    if (type === null) return false;
    return (
      this.#targets.has(node) ||
      takesData(node) ||
      type.external !== undefined ||
      type.timetable?.(node.options) !== undefined
    );
  }
}

const HIDDEN: Obstacle = {
  reason: 'hidden',
  detail: 'it is not active by default, and no step, column or navigation shows it',
};

function brokenness(node: BlockNode): Obstacle | null {
  if (node.blockType === 'tool' && node.children.length === 0)
    return { reason: 'tool missing', detail: 'the tool is not here: import it' };
  if (node.definition === null) return { reason: 'unknown type', detail: `there is no block type ${node.blockType}` };
  if (node.options === null) return { reason: 'invalid options', detail: node.optionsError };
  if (node.blockType === 'externalTopicBlock' || node.blockType === 'globalEventsReaderBlock')
    return { reason: 'another instance', detail: 'it takes in what another policy publishes' };
  if (node.blockType === 'httpRequestBlock' || node.blockType === 'integrationButtonBlock')
    return { reason: 'another instance', detail: 'it asks a service on the network' };
  return null;
}

function nobody(node: BlockNode): Obstacle {
  const lists: string[] = [];
  for (let each: BlockNode | null = node; each !== null; each = each.parent) {
    lists.unshift(`${each.tag}: ${each.permissions.join(', ') || 'nobody'}`);
  }
  return { reason: 'no role', detail: `no role passes all of ${lists.join('; ')}` };
}

function offersNoRole({ blockType, options }: BlockNode): boolean {
  if (blockType !== 'policyRolesBlock' || !isObject(options)) return false;
  return [options['roles'], options['groups']].every((list) => !Array.isArray(list) || list.length === 0);
}

const within = (node: BlockNode, { reason, detail }: Obstacle): Obstacle => ({
  reason,
  detail: detail.startsWith('within ') ? detail : `within "${node.parent?.tag ?? ''}": ${detail}`,
});

type Who = Pick<Player, 'isOwner' | 'role'>;

/** All possible actors: the owner, users without a role, and each role that is offered or comes with a group. */
function possiblePeople({ blocks, groups }: PolicyTree): Who[] {
  const roles = new Set<string>();
  for (const node of blocks) {
    if (node.blockType !== 'policyRolesBlock') continue;
    const { roles: direct, groups: entered } = node.options as {
      roles?: readonly string[];
      groups?: readonly string[];
    };
    for (const role of direct ?? []) roles.add(role);
    for (const group of groups.filter(({ name }) => entered?.includes(name ?? '') === true)) {
      for (const role of [group.creator ?? '', ...(group.members ?? [])]) roles.add(role);
    }
  }
  const withRoles = [...roles].filter((role) => role !== '').map((role) => ({ isOwner: false, role }));
  const ownerWithRole = withRoles.map(({ role }) => ({ isOwner: true, role }));
  return [{ isOwner: true, role: null }, { isOwner: false, role: null }, ...withRoles, ...ownerWithRole];
}
