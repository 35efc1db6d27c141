/** A policy with its players, in which moves run sequentially. */
import { type BlockworkError, isBlockworkError, type JournalEntry, type Json, type JsonObject } from '@blockwork/core';
import { type BlockNode, isObject, type PolicyTree, valueAt } from '@blockwork/core/block';
import {
  meets,
  type OpenedPolicy,
  type OutsideData,
  type PolicyBench,
  type UnsignedCredential,
} from '@blockwork/testing';
import type { Move, Refusal } from '../move.js';
import { type Player, whoOf } from '../player.js';
import { UnknownVariable, Variables } from '../scenario/variables.js';
import { typeOf } from '../sites.js';

/** The outcome of a move. */
export interface Outcome {
  readonly answer: Json;
  readonly refusal: Refusal | null;
  /** Commits, oldest first. A wait may commit several units; a refused move commits none. */
  readonly units: readonly JournalEntry[];
}

export class PolicyWorld {
  readonly players: ReadonlyMap<string, Player>;
  /** Values saved by moves. */
  readonly saved: JsonObject = {};
  #seen: number;
  readonly #known: KnownAnswers;
  readonly #doors: Doors;

  private constructor(
    readonly bench: PolicyBench,
    readonly opened: OpenedPolicy,
    readonly tree: PolicyTree,
    players: readonly Player[],
    revision: number,
  ) {
    this.players = new Map(players.map((player) => [player.name, player]));
    this.#seen = revision;
    this.#known = new KnownAnswers(() => this.#seen);
    this.#doors = new Doors(tree);
  }

  /** `users`: how many there are besides the owner. */
  static async enter(bench: PolicyBench, opened: OpenedPolicy, tree: PolicyTree, users: number): Promise<PolicyWorld> {
    const names = ['owner', ...Array.from({ length: users }, (_, at) => `user${String(at + 1)}`)];
    const players = await Promise.all(
      names.map(async (name): Promise<Player> => {
        const session = bench.as(name);
        const account = await session.account();
        return { name, caller: session.caller, isOwner: name === 'owner', account, role: null };
      }),
    );
    return new PolicyWorld(bench, opened, tree, players, await opened.store.revision(opened.policyId));
  }

  get revision(): number {
    return this.#seen;
  }

  /** The player with this identity, if it is one. */
  playerWith(did: string): Player | undefined {
    return [...this.players.values()].find(({ caller }) => caller.did === did);
  }

  /** The role before a move, since the move may change it. */
  whoMoves({ user }: Move): string {
    const player = this.players.get(user);
    return player === undefined ? 'timer' : whoOf(player);
  }

  block(name: string): BlockNode | undefined {
    return this.tree.byTag.get(name) ?? this.tree.byUuid.get(name);
  }

  /** The block's data; `undefined` if it is not open or not readable. Throws errors other than refusals. */
  async read(player: Player, block: BlockNode): Promise<Json | undefined> {
    // Other blocks' data may depend on the time, which advances with each move.
    const isLasting = typeOf(block)?.pure === true;
    return isLasting
      ? this.#known.get(`shown ${player.name} ${block.uuid}`, () => this.#read(player, block))
      : this.#read(player, block);
  }

  async #read(player: Player, block: BlockNode): Promise<Json | undefined> {
    const { engine, policyId } = this.opened;
    try {
      return await engine.readBlock<Json>(player.caller, policyId, { uuid: block.uuid });
    } catch (error) {
      if (isRefusal(error)) return undefined;
      throw error;
    }
  }

  /** `null` if the block is open to the player. */
  async whyClosed(player: Player, block: BlockNode): Promise<string | null> {
    const { engine, policyId } = this.opened;
    return this.#doors.reason(player, block, async () => {
      const availability = await engine.getAvailability(player.caller, policyId, { uuid: block.uuid });
      return availability.outcome === 'allowed' ? null : availability.reason;
    });
  }

  /** Executes a move. `row`: its row, if already known. Never throws. */
  async perform(move: Move, row?: JsonObject): Promise<Outcome> {
    // Documents are ordered by time.
    this.opened.clock.advance('1s');
    try {
      const answer = await this.#act(move, row);
      if (move.keep !== undefined) this.saved[move.keep.name] = valueAt(answer, move.keep.path) as Json;
      const units = await this.#newUnits();
      this.#doors.changed(units);
      await this.#learnRoles(units);
      return { answer, refusal: null, units };
    } catch (error) {
      const units = await this.#newUnits();
      this.#doors.changed(units);
      return { answer: null, refusal: refusalOf(error, move.block), units };
    }
  }

  async #act(move: Move, row: JsonObject | undefined): Promise<Json> {
    const { engine, policyId } = this.opened;
    switch (move.method) {
      case 'POST': {
        const body = this.#filledIn(move.body, row ?? (await this.#rowOf(move)));
        return engine.sendToBlock<Json>(this.#callerOf(move), policyId, this.#referenceTo(move.block), body);
      }
      case 'EXTERNAL': {
        const { owner, document, ref = null } = this.#filledIn(move.body, undefined) as unknown as OutsideData;
        const signed = await this.bench.sign(document as UnsignedCredential);
        await this.bench.external(move.block, { owner, document: signed, ref });
        return null;
      }
      case 'TICK':
        await this.bench.tick(move.block);
        return null;
      case 'WAIT':
        await this.bench.advance(typeof move.body === 'string' ? move.body : '1s');
        return null;
    }
  }

  #callerOf({ user }: Move): Player['caller'] {
    const player = this.players.get(user);
    if (player === undefined) throw new Error(`There is no player "${user}".`);
    return player.caller;
  }

  #referenceTo(name: string): { tag: string } | { uuid: string } {
    return this.tree.byTag.has(name) ? { tag: name } : { uuid: name };
  }

  #filledIn(body: Json, row: JsonObject | undefined): Json {
    const users = [...this.players.values()].map(({ name, caller: { did }, account }) => [name, { did, account }]);
    const variables = new Variables({ ...this.saved, users: Object.fromEntries(users) as JsonObject });
    if (row !== undefined) variables.set('row', row);
    return variables.filledIn(body);
  }

  async #rowOf({ user, row }: Move): Promise<JsonObject | undefined> {
    const player = this.players.get(user);
    const grid = row && this.block(row.grid);
    if (row === undefined || player === undefined || grid === undefined) return undefined;
    const answer = await this.read(player, grid);
    if ('where' in row) return rowsIn(answer).find((each) => meets(each, row.where));
    const value = valueAt(answer, row.path);
    return isObject(value) ? (value as JsonObject) : undefined;
  }

  async #newUnits(): Promise<JournalEntry[]> {
    const { store, policyId } = this.opened;
    const units: JournalEntry[] = [];
    const revision = await store.revision(policyId);
    while (this.#seen < revision) {
      this.#seen += 1;
      const entry = await store.get('journal', policyId, String(this.#seen).padStart(12, '0'));
      if (entry !== undefined) units.push(entry);
    }
    return units;
  }

  /** Roles change only where a block for roles or groups took part. */
  async #learnRoles(units: readonly JournalEntry[]): Promise<void> {
    const takesRoles = units.some(({ cause }) => cause.type === 'send' && this.#changesRoles(cause.tag));
    if (!takesRoles) return;
    const { store, policyId } = this.opened;
    const memberships = await store.find('membership', policyId);
    for (const player of this.players.values()) {
      player.role = memberships.find(({ did, active }) => active && did === player.caller.did)?.role ?? null;
    }
  }

  #changesRoles(tag: string): boolean {
    const type = this.block(tag)?.blockType;
    return type === 'policyRolesBlock' || type === 'groupManagerBlock';
  }
}

/** The rows in what a grid shows. */
export function rowsIn(answer: Json | undefined): JsonObject[] {
  const data = valueAt(answer, 'data');
  return Array.isArray(data) ? (data as JsonObject[]) : [];
}

/** Client errors; all others are faults of the engine. */
const isRefusal = (error: unknown): error is BlockworkError => isBlockworkError(error) && error.status < 500;

/** The code of a move with a dangling reference, as when an earlier move was omitted. */
export const IMPOSSIBLE = 'MOVE_IMPOSSIBLE';

function refusalOf(error: unknown, sentTo: string): Refusal {
  if (error instanceof UnknownVariable) {
    return { code: IMPOSSIBLE, status: 400, message: error.message, block: sentTo };
  }
  if (!isBlockworkError(error)) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { code: 'INTERNAL', status: 500, message, block: sentTo };
  }
  const { code, status, message, details, facts, cause } = error;
  const where = details.slice(0, 5).map((detail) => `${detail.path} ${detail.message}`);
  const why = status >= 500 && cause instanceof Error ? [cause.stack ?? cause.message] : [];
  const { tag } = facts;
  return {
    code,
    status,
    message: [message, ...where, ...why].join('; '),
    block: typeof tag === 'string' ? tag : sentTo,
  };
}

/** A cache of engine responses, valid until the policy changes. */
export class KnownAnswers {
  readonly #answers = new Map<string, unknown>();
  #revision = -1;

  constructor(private readonly revision: () => number) {}

  /** Callers must not mutate the cached value. */
  async get<T>(key: string, ask: () => Promise<T>): Promise<T> {
    const revision = this.revision();
    if (revision !== this.#revision) {
      this.#answers.clear();
      this.#revision = revision;
    }
    if (this.#answers.has(key)) return this.#answers.get(key) as T;
    const answer = await ask();
    if (this.#revision === this.revision()) this.#answers.set(key, answer);
    return answer;
  }
}

/**
 * What opens and closes blocks is state of a user and of the groups that they are in: steps, completed blocks, roles. So as long as
 * everybody is in a group of their own, it takes an event of that user.
 */
export class Doors {
  readonly #known = new Map<string, Map<BlockNode, string | null>>();
  readonly #isAlone: boolean;

  constructor({ groups }: Pick<PolicyTree, 'groups'>) {
    this.#isAlone = groups.length === 0;
  }

  /** `null` if the block is open to the player. */
  async reason(
    { caller: { did } }: Player,
    block: BlockNode,
    ask: () => Promise<string | null>,
  ): Promise<string | null> {
    const reasons = this.#known.get(did) ?? new Map<BlockNode, string | null>();
    this.#known.set(did, reasons);
    const reason = reasons.get(block);
    if (reason !== undefined) return reason;
    const answer = await ask();
    reasons.set(block, answer);
    return answer;
  }

  /** Invalidates entries affected by a commit. */
  changed(units: readonly JournalEntry[]): void {
    if (units.length > 0 && !this.#isAlone) this.#known.clear();
    for (const { cause, events } of units) {
      if (cause.type !== 'send' && cause.type !== 'tick' && cause.type !== 'external') this.#known.clear();
      if ('did' in cause) this.#known.delete(cause.did);
      for (const { did } of events) this.#known.delete(did);
    }
  }
}
