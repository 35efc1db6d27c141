/** One walk through a fresh policy: moves of its users, chosen at random, each learned from. */
import type { Json } from '@blockwork/core';
import type { BlockNode } from '@blockwork/core/block';
import type { Random } from '../sample-data/random.js';
import { externalMove } from './moves/external-moves.js';
import { makeMove } from './moves/make-move.js';
import type { MadeMove, MoveContext } from './moves/move-context.js';
import type { Move } from './move.js';
import type { Observer } from './observer.js';
import { whoOf, type Player } from './player.js';
import { rowsIn, type PolicyWorld } from './policy-world.js';
import { isGrid, isPermitted, PermittedSites, sitesOf, typeOf, type Site } from './sites.js';
import { unreachableBlocks } from './unreachable.js';

/** What walks remember of the ones before: which blocks and choices were accepted how often. */
export class Habits {
  readonly #accepted = new Map<string, number>();
  /** Why a block was closed when it was last tried. */
  readonly closed = new Map<string, string>();

  acceptedAt(block: string, choice = ''): number {
    return this.#accepted.get(`${block} ${choice}`) ?? 0;
  }

  accept({ block, choice }: Move): void {
    for (const key of new Set([`${block} `, `${block} ${choice ?? ''}`])) {
      this.#accepted.set(key, (this.#accepted.get(key) ?? 0) + 1);
    }
  }
}

/** What was closed or empty ever so often is tried less, but never given up. */
const LEAST_HOPE = 0.03;

export class Walk {
  /** The moves so far. */
  readonly moves: Move[] = [];
  readonly #sites: PermittedSites;
  readonly #outside: readonly Site[];
  /** What a client could come to show. */
  readonly #shown: readonly BlockNode[];
  readonly #timed: readonly BlockNode[];
  /** By player and site, the revision at which there was nothing to do, and how often in a row. */
  readonly #idle = new Map<string, { readonly revision: number; readonly times: number }>();
  #waits = 0;

  constructor(
    private readonly world: PolicyWorld,
    private readonly random: Random,
    private readonly observer: Observer,
    private readonly habits: Habits,
  ) {
    const hidden = unreachableBlocks(world.tree);
    this.#shown = world.tree.blocks.filter((node) => typeOf(node)?.read !== undefined && !hidden.has(node));
    const sites = sitesOf(world.tree).filter(({ node }) => !hidden.has(node));
    this.#sites = new PermittedSites(sites);
    this.#outside = sites.filter(({ node }) => typeOf(node)?.external !== undefined);
    this.#timed = world.tree.blocks.filter((node) => typeOf(node)?.timetable?.(node.options) !== undefined);
    observer.startWalk();
  }

  /** Makes one move. Resolves to false if there is none. */
  async step(): Promise<boolean> {
    const made = (await this.#movedByNobody()) ?? (await this.#userMove()) ?? (await this.#wait());
    if (made === null) return false;
    await this.#carryOut(made);
    return true;
  }

  /** Everybody looks at everything that is open to them. */
  async lookAround(): Promise<void> {
    const seen = new Set<string>();
    for (const player of this.world.players.values()) {
      for (const node of this.#shown) {
        if (!isPermitted(node, player)) continue;
        const isNew = isGrid(node) || !this.observer.coverage.isSeenBy(node, whoOf(player));
        const key = `${node.uuid} ${isGrid(node) ? player.name : whoOf(player)}`;
        if (!isNew || seen.has(key)) continue;
        if ((await this.#read(player, node)) !== undefined) seen.add(key);
      }
    }
  }

  async #carryOut({ move, row }: MadeMove): Promise<void> {
    this.moves.push(move);
    const who = this.world.whoMoves(move);
    const outcome = await this.world.perform(move, row);
    if (outcome.refusal === null) this.habits.accept(move);
    if (outcome.units.length > 0) this.#waits = move.method === 'WAIT' ? this.#waits : 0;
    await this.observer.learn(this.world, outcome, { way: this.moves, who, row });
  }

  /** `null` when nobody finds anything to do. */
  async #userMove(): Promise<MadeMove | null> {
    const players = new Set(this.world.players.values());
    while (players.size > 0) {
      const player = this.random.weighted([...players], ({ role, isOwner }) => (role === null && !isOwner ? 2 : 1));
      if (player === undefined) return null;
      const site = this.#siteFor(player);
      if (site === undefined) {
        players.delete(player);
        continue;
      }
      const made = await this.#moveAt(player, site);
      if (made !== null) return made;
    }
    return null;
  }

  /** A player who finds nothing to do at a site is asked again when something has changed. */
  #siteFor(player: Player): Site | undefined {
    const { revision } = this.world;
    const sites = this.#sites
      .of(player)
      .filter(({ node }) => this.#idle.get(keyOf(player, node))?.revision !== revision);
    return this.random.weighted(sites, ({ node }) => {
      const times = this.#idle.get(keyOf(player, node))?.times ?? 0;
      return this.#attraction(node) * Math.max(LEAST_HOPE, 0.6 ** times);
    });
  }

  async #moveAt(player: Player, site: Site): Promise<MadeMove | null> {
    const { node } = site;
    const reason = await this.world.whyClosed(player, node);
    if (reason !== null) this.habits.closed.set(node.tag, reason);
    const made = reason === null ? await makeMove(this.#contextOf(player, site)) : null;
    const key = keyOf(player, node);
    const times = this.#idle.get(key)?.times ?? 0;
    this.#idle.set(key, { revision: made === null ? this.world.revision : -1, times: made === null ? times + 1 : 0 });
    return made;
  }

  /** New blocks first; what only changes a view seldom. */
  #attraction(node: BlockNode): number {
    const accepted = this.habits.acceptedAt(node.tag);
    const isView = typeOf(node)?.viewState === true;
    return (accepted === 0 ? 6 : 1 + 4 / (1 + accepted)) * (isView && accepted > 0 ? 0.05 : 1);
  }

  #contextOf(player: Player, site: Site): MoveContext {
    return {
      world: this.world,
      player,
      site,
      random: this.random,
      read: (node) => this.#read(player, node),
      accepted: (choice) => this.habits.acceptedAt(site.node.tag, choice),
      offered: (row) => {
        this.observer.documents.offered(row);
      },
    };
  }

  async #read(player: Player, node: BlockNode): Promise<Json | undefined> {
    const answer = await this.world.read(player, node);
    if (answer !== undefined) this.observer.coverage.saw(node, player);
    if (isGrid(node)) this.observer.documents.shown(rowsIn(answer));
    return answer;
  }

  /** Now and then something comes from outside, or a timer goes off. */
  async #movedByNobody(): Promise<MadeMove | null> {
    const site = this.random.pick(this.#outside);
    if (site !== undefined && this.random.chance(0.1)) return externalMove(this.world, site, this.random);
    return this.#timed.length > 0 && this.random.chance(0.03) ? this.#wait() : null;
  }

  /** Lets time pass until the next timer is due, or wakes a block whose time is far away. */
  async #wait(): Promise<MadeMove | null> {
    if (this.#waits > 2) return null;
    this.#waits += 1;
    const { engine, clock } = this.world.opened;
    const due = await engine.program.schedule.getNextDue();
    const node = this.random.pick(this.#timed);
    if (node !== undefined && (due === null || this.random.chance(0.5)))
      return { move: byNobody('TICK', node.tag, null) };
    if (due === null) return null;
    const seconds = Math.max(1, Math.ceil((due - clock.now()) / 1000));
    return { move: byNobody('WAIT', '', `${String(seconds)}s`) };
  }
}

const keyOf = (player: Player, node: BlockNode): string => `${player.name} ${node.uuid}`;

const byNobody = (method: Move['method'], block: string, body: Json): Move => ({ user: 'system', method, block, body });
