/** Group commit in call order: batches as many commits as possible, and settles each individually. */
import { BlockworkError } from '@blockwork/core';
import type { ChangeSet } from '@blockwork/core/adapter';
import { failureKind, unavailable } from '../connection/failures.js';
import { clustersOf, type Cluster } from './cluster.js';
import { takeGroup } from './group.js';
import { isOfOther, Lane, OtherHistory, type LaneDeps, type Refused } from './lane.js';
import { unitOf, type Unit } from './unit.js';

/** Back-pressure: limit of queued JSON in bytes. Beyond it, commits are refused instead of filling memory. */
const WAITING_AT_MOST = 2 ** 27;

export class CommitQueue {
  readonly #deps: LaneDeps;
  readonly #waiting: Unit[] = [];
  readonly #idleLanes: Lane[];
  readonly #lanes: readonly Lane[];
  readonly #inFlight = new Set<Promise<void>>();
  /** The ordering keys of the units in flight. */
  readonly #busy = new Set<string>();
  #bytes = 0;
  #isPumping = false;

  constructor(lanes: number, deps: LaneDeps) {
    this.#deps = deps;
    this.#lanes = Array.from({ length: lanes }, () => new Lane(deps));
    this.#idleLanes = [...this.#lanes];
  }

  /** Implements `PolicyStore.commit` and `commitChain`: a chain is one unit, all or nothing. */
  commit(chain: readonly ChangeSet[]): Promise<void> {
    const committing = new Promise<void>((resolve, reject) => {
      const unit = unitOf(chain, { resolve, reject });
      if (this.#bytes + unit.bytes > WAITING_AT_MOST && this.#waiting.length > 0) {
        throw new BlockworkError('STORE_UNAVAILABLE', { facts: { reason: 'too many commits wait for the database' } });
      }
      this.#bytes += unit.bytes;
      this.#waiting.push(unit);
    });
    const settled = committing.then(undefined, () => undefined).finally(() => this.#inFlight.delete(settled));
    this.#inFlight.add(settled);
    this.#wake();
    return committing;
  }

  /** Resolves when every commit so far is settled. */
  async idle(): Promise<void> {
    await Promise.all(this.#inFlight);
  }

  async close(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.close()));
  }

  /** Deferred to the end of the turn, so that the calls of one turn share a statement. */
  #wake(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    queueMicrotask(() => {
      this.#isPumping = false;
      this.#pump();
    });
  }

  #pump(): void {
    for (let lane = this.#idleLanes.pop(); lane !== undefined; lane = this.#idleLanes.pop()) {
      const units = takeGroup(this.#waiting, this.#busy);
      if (units.length === 0) {
        this.#idleLanes.push(lane);
        return;
      }
      void this.#run(lane, units);
    }
  }

  async #run(lane: Lane, units: readonly Unit[]): Promise<void> {
    const clusters = clustersOf(units);
    for (const unit of units) for (const name of unit.order) this.#busy.add(name);
    try {
      this.#answer(clusters, await lane.commit(clusters));
    } catch (error) {
      this.#fail(units, error);
    } finally {
      for (const unit of units) for (const name of unit.order) this.#busy.delete(name);
      this.#idleLanes.push(lane);
      this.#wake();
    }
  }

  #answer(clusters: readonly Cluster[], refused: Refused): void {
    const again: Unit[] = [];
    const moved = new Map<string, number>();
    for (const [number, { units, moves }] of clusters.entries()) {
      const names = refused.get(number);
      const [only, ...others] = units;
      if (names === undefined) {
        for (const unit of units) this.#settle(unit, null);
        for (const { name, was, steps } of moves) if (was !== null) moved.set(name, was + steps);
      } else if (only !== undefined && others.length === 0 && names.length > 0) {
        this.#settle(only, conflict(only, names));
      } else again.push(...units);
    }
    this.#refuseOlder(moved);
    this.#retryAlone(again);
  }

  /**
   * Settles the units of a failed statement. Units that shared it are retried alone, since one of them may be at fault.
   */
  #fail(units: readonly Unit[], error: unknown): void {
    if (error instanceof OtherHistory) this.#refuseOther(units);
    else if (units.length > 1 && failureKind(error) === 'refused' && !(error instanceof BlockworkError))
      this.#retryAlone(units);
    else for (const unit of units) this.#settle(unit, unavailable(error));
  }

  #refuseOther(units: readonly Unit[]): void {
    const present = this.#deps.connections.history.id;
    const isRefused = (unit: Unit): boolean => isOfOther(unit, present);
    this.#waiting.unshift(...units.filter((unit) => !isRefused(unit)));
    for (const unit of units.filter(isRefused)) {
      const names = unit.expected.map(({ name }) => name);
      this.#settle(unit, conflict(unit, names));
    }
  }

  /** Retries units one by one, ahead of all others. */
  #retryAlone(units: readonly Unit[]): void {
    for (const unit of units) unit.isAlone = true;
    this.#waiting.unshift(...units);
  }

  /** Revisions only grow: a queued unit that expects a lower one can only fail. */
  #refuseOlder(moved: ReadonlyMap<string, number>): void {
    const units = this.#waiting.splice(0);
    for (const unit of units) {
      const past = unit.expected.filter(({ name, number }) => number < (moved.get(name) ?? 0));
      if (past.length === 0) this.#waiting.push(unit);
      else
        this.#settle(
          unit,
          conflict(
            unit,
            past.map(({ name }) => name),
          ),
        );
    }
  }

  #settle(unit: Unit, error: BlockworkError | null): void {
    this.#bytes -= unit.bytes;
    if (error === null) unit.resolve();
    else unit.reject(error);
  }
}

const conflict = ({ expected }: Unit, names: readonly string[]): BlockworkError => {
  const key = expected.find(({ name }) => names.includes(name))?.key ?? '';
  return new BlockworkError('CONFLICT', { facts: { key } });
};
