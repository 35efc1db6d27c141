/** One walk through a fresh policy: user moves guided towards unreached blocks. */
import type { DocumentRecord, JournalEntry, Json } from '@blockwork/core';
import type { BlockNode } from '@blockwork/core/block';
import { fits } from './guidance/document-flow.js';
import type { Guidance } from './guidance/guidance.js';
import type { Habits } from './habits.js';
import type { Move } from './move.js';
import { externalMove } from './moves/external-moves.js';
import { makeMove } from './moves/make-move.js';
import type { MadeMove, MoveContext } from './moves/move-context.js';
import type { Observer } from './observer.js';
import { type Player, whoOf } from './player.js';
import type { Obstacle } from './reach/unreachable.js';
import type { Random } from './sample-data/random.js';
import { isGrid, isPermitted, isWithin, PermittedSites, type Site, sitesOf, sourcesOf, typeOf } from './sites.js';
import { type PolicyWorld, rowsIn } from './world/policy-world.js';

/** State shared by all walks of an exploration. */
export interface Lessons {
  readonly observer: Observer;
  readonly habits: Habits;
  readonly guidance: Guidance;
  /** Unreachable blocks, by tag. */
  readonly obstacles: ReadonlyMap<string, Obstacle>;
}

/** Probability of a random, unguided move. */
const AT_RANDOM = 0.1;

export class Walk {
  /** The moves so far. */
  readonly moves: Move[] = [];
  readonly #sites: PermittedSites;
  readonly #outside: readonly Site[];
  /** Everything a client could show. */
  readonly #shown: readonly BlockNode[];
  readonly #timed: readonly BlockNode[];
  readonly #idle: IdleSites;
  /** Accepted moves of this walk, by block and by block and row. */
  readonly #done = new Map<string, number>();
  #waits = 0;

  constructor(
    private readonly world: PolicyWorld,
    private readonly random: Random,
    private readonly lessons: Lessons,
  ) {
    const { obstacles, observer } = lessons;
    const { tree } = world;
    this.#shown = tree.blocks.filter((node) => typeOf(node)?.read !== undefined && !obstacles.has(node.tag));
    const sites = sitesOf(tree).filter(({ node }) => !obstacles.has(node.tag));
    this.#sites = new PermittedSites(sites);
    this.#idle = new IdleSites(sites);
    this.#outside = sites.filter(({ node }) => typeOf(node)?.external !== undefined);
    this.#timed = tree.blocks.filter((node) => typeOf(node)?.timetable?.(node.options) !== undefined);
    observer.startWalk();
  }

  /** Makes one move. Resolves to false if there is none. */
  async step(): Promise<boolean> {
    const { guidance, observer, obstacles } = this.lessons;
    guidance.update(observer.coverage.size, (node) => observer.coverage.has(node) || obstacles.has(node.tag));
    const move = (await this.#movedByNobody()) ?? (await this.#userMove()) ?? (await this.#wait());
    if (move === null) return false;
    await this.#carryOut(move);
    return true;
  }

  /** Every player reads every block open to them. */
  async lookAround(): Promise<void> {
    const seen = new Set<string>();
    for (const player of this.world.players.values()) {
      for (const node of this.#shown) {
        if (!isPermitted(node, player)) continue;
        const isNew = isGrid(node) || !this.lessons.observer.coverage.isSeenBy(node, whoOf(player));
        const key = `${node.uuid} ${isGrid(node) ? player.name : whoOf(player)}`;
        if (!isNew || seen.has(key)) continue;
        if ((await this.#read(player, node)) !== undefined) seen.add(key);
      }
    }
  }

  async #carryOut({ move, row }: MadeMove): Promise<void> {
    this.moves.push(move);
    const { observer, habits, guidance } = this.lessons;
    const who = this.world.whoMoves(move);
    const outcome = await this.world.perform(move, row);
    const isAccepted = outcome.refusal === null;
    habits.learn(move, isAccepted);
    guidance.tried(move.block, move.choice ?? '', isAccepted);
    this.#count(move.block);
    if (row !== undefined) this.#count(rowKey(move.block, row['id']));
    if (outcome.units.length > 0) this.#waits = move.method === 'WAIT' ? this.#waits : 0;
    const stored = await observer.learn(this.world, outcome, { path: this.moves, who, row });
    this.#idle.changed(this.world, outcome.units, stored);
  }

  #count(key: string): void {
    this.#done.set(key, (this.#done.get(key) ?? 0) + 1);
  }

  /** `null` if no player has anything to do. */
  async #userMove(): Promise<MadeMove | null> {
    const offers = this.#offers();
    const isAimless = this.random.chance(AT_RANDOM);
    while (offers.length > 0) {
      const offer = this.random.weighted(offers, ({ hope, worth }) => hope * (isAimless ? 1 : worth));
      if (offer === undefined) return null;
      const move = await this.#moveAt(offer.player, offer.site);
      if (move !== null) return move;
      offers.splice(offers.indexOf(offer), 1);
    }
    return null;
  }

  /** All moves to try now. Players with the same role share its weight. */
  #offers(): { player: Player; site: Site; hope: number; worth: number }[] {
    const { revision } = this.world;
    const players = [...this.world.players.values()];
    const many = new Map<string, number>();
    for (const player of players) many.set(whoOf(player), (many.get(whoOf(player)) ?? 0) + 1);
    const worths = new Map<Site, number>();
    return players.flatMap((player) =>
      this.#sites.of(player).flatMap((site) => {
        const hope = this.#idle.hope(player, site, revision);
        if (hope === 0) return [];
        const worth = worths.get(site) ?? this.#worth(site.node);
        worths.set(site, worth);
        return [{ player, site, hope, worth: worth / (many.get(whoOf(player)) ?? 1) }];
      }),
    );
  }

  async #moveAt(player: Player, site: Site): Promise<MadeMove | null> {
    const { node } = site;
    const reason = await this.world.whyClosed(player, node);
    if (reason !== null) this.lessons.habits.closed.set(node.tag, reason);
    const move = reason === null ? await makeMove(this.#contextOf(player, site)) : null;
    if (move === null) this.#idle.noteIdle(player, site, this.world.revision);
    else this.#idle.noteMove(player, site);
    return move;
  }

  /** Favors moves towards new blocks unless made often; moves that only change a view are rare. */
  #worth(node: BlockNode): number {
    const accepted = this.lessons.habits.acceptedAt(node.tag);
    const isView = typeOf(node)?.viewState === true;
    if (isView && accepted > 0) return 0.001;
    const takesRoles = node.blockType === 'policyRolesBlock';
    const worth = takesRoles ? 0.5 : this.lessons.guidance.worth(node.tag) + 0.02 / (1 + accepted);
    return worth / (1 + 0.5 * (this.#done.get(node.tag) ?? 0));
  }

  #contextOf(player: Player, site: Site): MoveContext {
    const { habits, guidance, observer } = this.lessons;
    const { tag } = site.node;
    return {
      world: this.world,
      player,
      site,
      random: this.random,
      read: (node) => this.#read(player, node),
      accepted: (choice) => habits.acceptedAt(tag, choice),
      worth: (choice) => guidance.worth(tag, choice),
      success: (style) => habits.successOf(tag, style),
      actedOn: (row) => this.#done.get(rowKey(tag, row['id'])) ?? 0,
      offered: (row) => {
        observer.documents.offered(row);
      },
    };
  }

  async #read(player: Player, node: BlockNode): Promise<Json | undefined> {
    const { coverage, documents } = this.lessons.observer;
    const answer = await this.world.read(player, node);
    if (answer !== undefined) coverage.saw(node, player);
    if (isGrid(node)) documents.shown(rowsIn(answer));
    return answer;
  }

  /** Occasionally submits external data or fires a timer, more often if that would reach new blocks. */
  async #movedByNobody(): Promise<MadeMove | null> {
    const { coverage } = this.lessons.observer;
    const isNew = (node: BlockNode): boolean => !coverage.has(node);
    const site = this.random.pick(this.#outside);
    if (site !== undefined && this.random.chance(isNew(site.node) ? 0.3 : 0.1)) {
      const move = await externalMove(this.world, site, this.random);
      if (move !== null) return move;
    }
    const isTime = this.#timed.length > 0 && this.random.chance(this.#timed.some(isNew) ? 0.1 : 0.03);
    return isTime ? this.#wait() : null;
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

const rowKey = (tag: string, id: unknown): string => `${tag} ${String(id)}`;

const byNobody = (method: Move['method'], block: string, body: Json): Move => ({ user: 'system', method, block, body });

/** Sites that were often closed or empty are tried less often, but never dropped. */
const LEAST_HOPE = 0.02;

interface Idle {
  /** The revision of the last idle visit. */
  readonly revision: number;
  /** Consecutive idle visits. */
  readonly times: number;
}

class IdleSites {
  readonly #idle = new Map<BlockNode, Map<string, Idle>>();
  readonly #sources: readonly { readonly node: BlockNode; readonly sources: readonly BlockNode[] }[];

  constructor(private readonly sites: readonly Site[]) {
    this.#sources = sites.map(({ node, sources }) => ({ node, sources: [...sources, ...sourcesOf(node)] }));
  }

  /** Between 0 and 1; 0 as long as nothing has changed at all. */
  hope({ name }: Player, { node }: Site, revision: number): number {
    const idle = this.#idle.get(node)?.get(name);
    if (idle === undefined) return 1;
    return idle.revision === revision ? 0 : Math.max(LEAST_HOPE, 0.5 ** idle.times);
  }

  noteIdle({ name }: Player, { node }: Site, revision: number): void {
    const players = this.#idle.get(node) ?? new Map<string, Idle>();
    this.#idle.set(node, players);
    players.set(name, { revision, times: (players.get(name)?.times ?? 0) + 1 });
  }

  noteMove({ name }: Player, { node }: Site): void {
    this.#idle.get(node)?.delete(name);
  }

  /** New documents that a site may show, and runs that reached or surround it, warrant a retry. */
  changed(world: PolicyWorld, units: readonly JournalEntry[], documents: readonly DocumentRecord[]): void {
    for (const { node, sources } of this.#sources) {
      if (!this.#idle.has(node)) continue;
      if (sources.some((source) => documents.some((document) => fits(source, document)))) this.#idle.delete(node);
    }
    for (const { target, did } of units.flatMap(({ events }) => events)) {
      const [around, player] = [world.block(target), world.playerWith(did)];
      if (around === undefined || player === undefined) continue;
      for (const { node } of this.sites) if (isWithin(node, around)) this.#idle.get(node)?.delete(player.name);
    }
  }
}
