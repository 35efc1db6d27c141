/** The executor: runs units of work, one after another in each lane, and commits each as a whole. */
import type { Lane, RevisionKey } from './revision-keys.js';
import type { Job, Left, Outcome } from './job.js';
import { LaneTurns, type LaneTurnsDeps } from './lane-turns.js';
import { UnitLane, type UnitLaneDeps } from './unit-lane.js';
import type { UnitOfWork } from './unit-of-work.js';

/** `conflictRetries`: how often a unit is retried after losing to another process. */
export type ExecutorDeps = Omit<UnitLaneDeps, 'onIdle' | 'turn'> & {
  /** Turns between nodes; absent for a store that belongs to this process alone. */
  readonly turns?: LaneTurnsDeps | null;
};

export interface Committed<T> {
  readonly result: T;
  readonly changes: number;
  /** Number of times the unit was run. */
  readonly attempts: number;
}

/** A unit and its lane, which it may leave: `mayLeave` is asked before it waits for this node's turn. */
export interface MovableUnit<T> extends Pick<Job, 'keys' | 'mayLeave'> {
  readonly lane: Lane;
  readonly work: (unit: UnitOfWork) => Promise<T>;
}

export class Executor {
  readonly #lanes = new Map<Lane, UnitLane>();
  readonly #underWay = new Set<Promise<void>>();

  readonly #deps: Omit<UnitLaneDeps, 'onIdle' | 'turn'>;
  readonly #turns: LaneTurns | null;

  constructor({ turns, ...deps }: ExecutorDeps) {
    this.#deps = deps;
    this.#turns = turns ? new LaneTurns(turns) : null;
  }

  /**
   * Runs `work` exclusively among the units of `lane`, and commits its changes if none of the revision `keys` has
   * moved; on a conflict it is rerun from the start. `work` must have no effects except through its unit. Resolves and
   * rejects when the commit, and everything the unit has read, is durable.
   */
  run<T>(lane: Lane, keys: readonly RevisionKey[], work: (unit: UnitOfWork) => Promise<T>): Promise<Committed<T>> {
    return this.#run(lane, { keys, work }) as Promise<Committed<T>>;
  }

  /** As `run`, unless the unit leaves its lane: it has then changed nothing, neither here nor outside the store. */
  runOrLeave<T>({ lane, ...unit }: MovableUnit<T>): Promise<Committed<T> | Left> {
    return this.#run(lane, unit) as Promise<Committed<T> | Left>;
  }

  #run(name: Lane, unit: Pick<Job, 'keys' | 'work' | 'mayLeave'>): Promise<Outcome> {
    return this.#track(
      new Promise((resolve, reject) => {
        const end = (outcome: Outcome): void => {
          if ('error' in outcome) reject(outcome.error);
          else resolve(outcome);
        };
        this.#lane(name).run({ ...unit, end });
      }),
    );
  }

  /** Runs `task` exclusively among the tasks of `lane`, without a unit of work. */
  runTask<T>(lane: Lane, task: () => Promise<T>): Promise<T> {
    return this.#track(
      new Promise((resolve, reject) => {
        this.#lane(lane).runTask(() => task().then(resolve, reject));
      }),
    );
  }

  /** Units and tasks of all lanes that have not started, and the number of lanes in use. */
  get load(): { readonly waiting: number; readonly lanes: number } {
    let waiting = 0;
    for (const lane of this.#lanes.values()) waiting += lane.waiting;
    return { waiting, lanes: this.#lanes.size };
  }

  /** Whether several nodes have written to the lane recently. */
  isContended(lane: Lane): boolean {
    return this.#turns?.isContended(lane) ?? false;
  }

  /** The last revision of a key that this process has seen; `undefined` if nothing is cached under it. */
  lastRevision(key: RevisionKey): number | undefined {
    return this.#deps.caches?.revision(key);
  }

  /** Records that other nodes write to the lane, or want to. */
  markContended(lane: Lane): void {
    this.#turns?.of(lane).markContended();
  }

  /** Resolves when every unit in progress has ended. */
  async idle(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  #lane(name: Lane): UnitLane {
    let lane = this.#lanes.get(name);
    if (lane === undefined) {
      const turn = this.#turns?.of(name) ?? null;
      lane = new UnitLane({ ...this.#deps, turn, onIdle: () => this.#lanes.delete(name) });
      this.#lanes.set(name, lane);
    }
    return lane;
  }

  #track<T>(ending: Promise<T>): Promise<T> {
    const ended = ending.then(ignore, ignore).then(() => void this.#underWay.delete(ended));
    this.#underWay.add(ended);
    return ending;
  }
}

const ignore = (): void => undefined;
