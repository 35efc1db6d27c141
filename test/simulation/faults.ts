/** The faults of a simulation, and their end: afterwards everything works again. */
import type { Instance, Node } from './instance.js';
import type { SimulatedLedger } from './ledger.js';
import type { Network } from './network.js';
import type { Action, Fault } from './plan.js';
import type { Scheduler } from './scheduler.js';

export interface FaultWorld {
  readonly scheduler: Scheduler;
  readonly network: Network;
  readonly ledger: SimulatedLedger;
  readonly instances: readonly Instance[];
}

export class Faults {
  /** How often each was there. */
  readonly counts = new Map<Fault, number>();

  constructor(private readonly world: FaultWorld) {}

  strike(action: Action): void {
    const what = action.what as Fault;
    const instance = pick(this.world.instances, action.a);
    const node = instance && pick(instance.nodes, action.b);
    if (instance === undefined || node === undefined) return;
    if (this.#kinds[what](instance, node, action)) this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  /** Everything that is down comes up, and what is cut is joined. */
  heal(): void {
    const { scheduler, network, ledger, instances } = this.world;
    scheduler.trace.tell('all faults end');
    network.isFaulty = false;
    ledger.isAway = false;
    for (const { database, machine, nodes } of instances) {
      if (database !== null) Object.assign(database, { isUp: true, lagMs: 20 });
      machine?.heal();
      for (const node of nodes) {
        network.join(node.name, 'store');
        network.join(node.name, 'link');
        node.life.pausedUntil = Math.min(node.life.pausedUntil, scheduler.now);
        node.skew = 0;
        // A store that met a failure of its disk may refuse to go on.
        if (machine !== null && node.isUp) {
          scheduler.trace.tell(`${node.name} is started anew`);
          node.crash();
        }
        node.start();
      }
    }
  }

  /** Each tells whether it could happen. */
  readonly #kinds: Readonly<Record<Fault, (instance: Instance, node: Node, action: Action) => boolean>> = {
    crash: (_, node, { c }) => this.#end(node, c, false),
    'power cut': (_, node, { c }) => this.#end(node, c, true),
    pause: (_, node, { c }) => {
      if (!node.isUp) return false;
      const ms = c < 0.5 ? 60_000 : 1_000 + c * 20_000;
      this.#tell(`${node.name} pauses for ${seconds(ms)}`);
      node.life.pausedUntil = this.world.scheduler.now + ms;
      return true;
    },
    'clock jump': (_, node, { c }) => {
      node.skew = (c - 0.5) * 120_000;
      this.#tell(`the clock of ${node.name} jumps: it is ${seconds(node.skew)} ahead`);
      return true;
    },
    'cut from the store': ({ database }, node, { c }) => database !== null && this.#cut(node, 'store', c),
    'cut from the link': (_, node, { c }) => this.#cut(node, 'link', c),
    'ledger away': (_, __, { c }) => {
      const { scheduler, ledger } = this.world;
      const ms = 1_000 + c * 60_000;
      this.#tell(`the ledger is away for ${seconds(ms)}`);
      ledger.isAway = true;
      scheduler.after(ms, null, 'the ledger is back', () => (ledger.isAway = false));
      return true;
    },
    failover: ({ database, shape }, _, { c }) => {
      if (database?.isUp !== true) return false;
      const { scheduler } = this.world;
      const ms = c < 0.3 ? 0 : c * 15_000;
      const lost = database.failOver();
      const how = shape.replication === 'none' ? 'restarts' : `fails over to its ${shape.replication} standby`;
      this.#tell(`the database of ${shape.name} ${how}, ${lost} commits are lost, and it is down for ${seconds(ms)}`);
      database.isUp = ms === 0;
      scheduler.after(ms, null, 'the database is back', () => (database.isUp = true));
      return true;
    },
    lag: ({ database, shape }, _, { c }) => {
      if (database === null || shape.replication === 'none') return false;
      database.lagMs = 500 + c * 20_000;
      this.#tell(`the standby of ${shape.name} lags by ${seconds(database.lagMs)}`);
      this.world.scheduler.after(30_000, null, 'the lag ends', () => (database.lagMs = 20));
      return true;
    },
    'disk failure': ({ machine, shape }, _, { c, d }) => {
      if (machine === null) return false;
      this.#tell(`the disk of ${shape.name} is about to fail once`);
      machine.failOnce(c < 0.5 ? 'EIO' : 'ENOSPC', 1 + Math.floor(d * 20));
      return true;
    },
  };

  #end(node: Node, c: number, power: boolean): boolean {
    if (!node.isUp) return false;
    const ms = 500 + c * c * 60_000;
    this.#tell(`${node.name} ${power ? 'loses its power' : 'crashes'}, and is down for ${seconds(ms)}`);
    node.crash(power);
    this.world.scheduler.after(ms, null, `${node.name} restarts`, () => node.start());
    return true;
  }

  #cut(node: Node, from: 'store' | 'link', c: number): boolean {
    const { scheduler, network } = this.world;
    if (network.isCut(node.name, from)) return false;
    const ms = c < 0.2 ? 90_000 : 500 + c * 30_000;
    this.#tell(`${node.name} is cut off from the ${from} for ${seconds(ms)}`);
    network.cut(node.name, from);
    scheduler.after(ms, null, `${node.name} is joined`, () => network.join(node.name, from));
    return true;
  }

  #tell(line: string): void {
    this.world.scheduler.trace.tell(line);
  }
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const pick = <T>(items: readonly T[], chance: number): T | undefined => items[Math.floor(chance * items.length)];
