/** One simulation: instances, what is between them, and what a seed does to them, round by round. */
import { INSTANCE } from '@blockwork/core/records';
import type { Ids, Logger } from '@blockwork/core';
import { SequentialIds } from '@blockwork/testing';
import { Random } from '../support/random.js';
import { SimulatedBroker } from './broker.js';
import { Faults } from './faults.js';
import { warmUpFileStore } from './file-store.js';
import { Instance, type InstanceShape } from './instance.js';
import { SimulatedLedger } from './ledger.js';
import { Machine } from './machine.js';
import { Network } from './network.js';
import { roundOf } from './plan.js';
import { Plants } from './plants/plants.js';
import { TICK_MS } from './policies.js';
import { checkConversations, checkTicks, checkViews } from './quiescence.js';
import { Scheduler, START } from './scheduler.js';
import { Workload } from './workload.js';

export interface SimulationOptions {
  readonly seed: number;
  /** Ends after so many steps: then faults end, and everything comes to rest. */
  readonly steps: number;
  readonly plants?: Plants;
  /** The first round. Default: 0. */
  readonly from?: number;
  /** Actions that are left out, by id. */
  readonly without?: ReadonlySet<string>;
  readonly logger?: Logger;
}

export interface Problem {
  /** What must always be true. */
  readonly invariant: string;
  readonly problem: string;
  /** The round in which it was not. */
  readonly round: number;
}

export interface Outcome {
  /** `null` where everything was as it must be. */
  readonly problem: Problem | null;
  /** The same for the same options, in every process. */
  readonly hash: string;
  readonly story: readonly string[];
  readonly steps: number;
  /** Simulated. */
  readonly hours: number;
  readonly operations: number;
  readonly faults: ReadonlyMap<string, number>;
  readonly shapes: readonly InstanceShape[];
}

/** How long everything may take to come to rest once faults have ended. */
const REST_MS = 45 * 60_000;

export async function simulate(options: SimulationOptions): Promise<Outcome> {
  await warmUpFileStore();
  const machine = new Machine();
  let world: World | undefined;
  const time = {
    now: () => world?.scheduler.now ?? START,
    after: (ms: number, run: () => void) => world?.scheduler.after(ms, null, 'a timer of the machine', run) ?? run,
  };
  return machine.without(
    () => time,
    () => {
      world = new World(options, machine);
      return world.run();
    },
  );
}

class World {
  readonly scheduler: Scheduler;
  readonly #network: Network;
  readonly #instances: Instance[];
  readonly #workload: Workload;
  readonly #faults: Faults;
  readonly #broker: SimulatedBroker;
  #round = 0;
  /** Increases when faults begin or end: what was to happen before, and has not, does not happen any more. */
  #phase = 0;
  #problem: Problem | null = null;

  constructor(
    private readonly options: SimulationOptions,
    machine: Machine,
  ) {
    const { seed, plants = new Plants(), logger } = options;
    const random = new Random(seed);
    this.scheduler = new Scheduler(Math.imul(seed, 0x9e3779b1), random, machine);
    const { scheduler } = this;
    this.#network = new Network(random);
    const network = this.#network;
    const report = (invariant: string, problem: string): void => this.#report(invariant, problem);
    this.#broker = new SimulatedBroker(scheduler, network);
    const ledger = new SimulatedLedger({ scheduler, network, plants }, (instance, { policyId, id }) =>
      this.#instances.find(({ shape }) => shape.name === instance)?.oracle.carriedOut(policyId, id),
    );
    const shapes = shapesOf(seed);
    const around = {
      ...{ scheduler, network, plants, report, ledger, broker: this.#broker, ids: idsOf(random) },
      ...{ instances: shapes.map(({ name }) => name), ...(logger && { logger }) },
    };
    this.#instances = shapes.map((shape) => new Instance(shape, around));
    this.#workload = new Workload({ scheduler, network, instances: this.#instances, report });
    this.#faults = new Faults({ scheduler, network, ledger, instances: this.#instances });
  }

  async run(): Promise<Outcome> {
    const { from = 0 } = this.options;
    await this.#begin();
    for (this.#round = from; this.#hasMore; this.#round += 1) await this.#playRound();
    const { trace } = this.scheduler;
    return {
      problem: this.#problem,
      hash: trace.hash,
      story: trace.story,
      steps: this.scheduler.steps,
      hours: (this.scheduler.now - START) / 3_600_000,
      operations: this.#workload.completed,
      faults: this.#faults.counts,
      shapes: this.#instances.map(({ shape }) => shape),
    };
  }

  get #hasMore(): boolean {
    return this.#isGoing && this.scheduler.steps < this.options.steps;
  }

  get #isGoing(): boolean {
    return this.#problem === null;
  }

  async #begin(): Promise<void> {
    for (const { nodes } of this.#instances) nodes[0]?.start();
    await this.#until(() => this.#instances.every(({ nodes }) => nodes[0]?.engine !== null));
    for (const instance of this.#instances) {
      const { engine } = instance.nodes[0] ?? {};
      if (engine === null || engine === undefined)
        throw new Error(
          `The first node does not start: ${JSON.stringify(this.#problem)} ${this.scheduler.trace.story.join()}`,
        );
      const policies = { areReady: false };
      instance.prepare(engine).then(
        () => (policies.areReady = true),
        (error: unknown) => this.#report('policies can be published', String(error)),
      );
      await this.#until(() => policies.areReady);
      for (const node of instance.nodes) node.start();
    }
  }

  async #playRound(): Promise<void> {
    const { seed, without } = this.options;
    const { scheduler } = this;
    const { actions, busyMs, calmMs } = roundOf(seed, this.#round);
    const began = scheduler.now;
    this.#network.isFaulty = true;
    const kept = actions.filter(({ id }) => without?.has(id) !== true);
    for (const action of kept.filter(({ at }) => at < busyMs)) this.#schedule(action, began);
    await this.#pass(began + busyMs);
    this.#phase += 1;
    if (!this.#isGoing) return;
    this.#faults.heal();
    await this.#rest();
    const rested = scheduler.now;
    for (const action of kept.filter(({ at }) => at >= busyMs)) this.#schedule(action, rested - busyMs);
    await this.#pass(rested + calmMs);
    this.#phase += 1;
    if (this.#problem === null) await this.#rest();
    // The first tick may be one that makes up for missed ones.
    const [from, to] = [rested + TICK_MS, this.scheduler.now - 60_000];
    checkTicks(this.#instances, from, to, (i, p) => this.#report(i, p));
  }

  #schedule(action: ReturnType<typeof roundOf>['actions'][number], began: number): void {
    const phase = this.#phase;
    const run = (): void => {
      if (phase !== this.#phase) return;
      if (action.isFault) this.#faults.strike(action);
      else this.#workload.start(action);
    };
    this.scheduler.after(began + action.at - this.scheduler.now, null, action.what, run);
  }

  /** Waits until nothing is left to do, and then checks everything. */
  async #rest(): Promise<void> {
    const deadline = this.scheduler.now + REST_MS;
    await this.#until(() => this.#isResting, deadline);
    const pending = this.#pending();
    if (pending.length > 0) this.#report('nothing waits for ever', pending.join(', '));
    const report = (invariant: string, problem: string): void => this.#report(invariant, problem);
    const views = { areChecked: false };
    checkViews(this.#instances, this.scheduler, report).then(
      () => (views.areChecked = true),
      (error: unknown) => report('all nodes show the same', String(error)),
    );
    await this.#until(() => views.areChecked, this.scheduler.now + 60_000);
    if (!views.areChecked) report('nothing waits for ever', 'a read at rest');
    checkConversations(this.#instances, report);
  }

  get #isResting(): boolean {
    return this.#pending().length === 0;
  }

  #pending(): string[] {
    const pending = [...this.#workload.open.values()];
    for (const { oracle, policyIds, nodes, shape, database } of this.#instances) {
      for (const policyId of policyIds) {
        const unsettled = oracle.unsettled(policyId);
        if (unsettled > 0) pending.push(`${unsettled} effects of ${policyId}`);
      }
      if (nodes.some(({ engine }) => engine === null)) pending.push(`a node of ${shape.name}`);
      if ((database?.tables.values('outbox', INSTANCE).length ?? 0) > 0) pending.push(`messages of ${shape.name}`);
      for (const { status, messageId } of oracle.requests.values()) if (status === 'NEW') pending.push(messageId);
    }
    if (this.#broker.owed > 0) pending.push(`${this.#broker.owed} messages of the broker`);
    return pending;
  }

  /** Until then, or until the steps of the simulation are used up. */
  async #pass(until: number): Promise<void> {
    while (this.#hasMore && (await this.scheduler.step(until)));
  }

  async #until(isTrue: () => boolean, deadline = Infinity): Promise<void> {
    await this.scheduler.settle();
    // Not checked after every step, since that is costly.
    while (this.#isGoing && !isTrue()) {
      const soon = this.scheduler.now + 100;
      for (let step = 0; step < 50 && this.scheduler.now < soon; step += 1) {
        if (!(await this.scheduler.step(deadline))) return;
      }
    }
  }

  #report(invariant: string, problem: string): void {
    if (this.#problem !== null) return;
    this.#problem = { invariant, problem, round: this.#round };
    this.scheduler.trace.tell(`"${invariant}" is broken: ${problem}`);
  }
}

/** What kind of instances a seed is about. */
function shapesOf(seed: number): InstanceShape[] {
  const random = new Random(seed ^ 0x2545f491);
  const shape = (name: string, files: number, most: number): InstanceShape => {
    const isFiles = random.chance(files);
    const nodes = isFiles ? 1 : 1 + random.below(most);
    const replication = random.pick(['none', 'synchronous', 'asynchronous'] as const) ?? 'none';
    return { name, store: isFiles ? 'files' : 'database', nodes, replication, isCoordinated: random.chance(0.7) };
  };
  const first = shape('A', 0.3, 4);
  return random.chance(0.5) ? [first, shape('B', 0.6, 2)] : [first];
}

/** Unpredictable enough to spread, and the same for the same seed. */
function idsOf(random: Random): Ids {
  const last = new SequentialIds();
  const head = (): string => Math.floor(random.next() * 2 ** 32).toString(16);
  return { uuid: () => head().padStart(8, '0') + last.uuid().slice(8) };
}
