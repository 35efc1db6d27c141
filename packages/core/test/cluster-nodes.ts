/** Nodes of one cluster in memory, in simulated time. */
import { silentLogger } from '@blockwork/core';
import { MemoryCluster, SimulatedClock, SimulatedTimers, type ClusterConnection } from '@blockwork/testing';
import { StoreNode } from '../src/background/index.js';
import { StoreClock } from '../src/defaults/index.js';
import { turn } from './background.js';

export const LEASE_MS = 6000;

/** What the background work of one node is made with. */
export interface ClusterNode {
  readonly store: ClusterConnection;
  readonly leases: StoreNode;
  readonly clock: StoreClock;
  readonly timers: SimulatedTimers;
  readonly logger: typeof silentLogger;
}

export class SimulatedCluster {
  readonly clock = new SimulatedClock();
  readonly timers = new SimulatedTimers(this.clock);
  readonly memory = new MemoryCluster(this.clock);

  /** `slow`: milliseconds that its own clock is behind that of the store. */
  join(id: string, slow = 0): ClusterNode {
    const store = this.memory.connect();
    const clock = new StoreClock({ now: () => this.clock.now() - slow });
    const { timers } = this;
    const facts = { id, name: id, version: '1' };
    const { coordination } = store;
    const leases = new StoreNode({ coordination, facts, leaseMs: LEASE_MS, clock, timers, logger: silentLogger });
    return { store, leases, clock, timers, logger: silentLogger };
  }

  /** Passes time in small steps, and lets everything happen that happens in each. */
  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 500) {
      this.timers.advance(500);
      for (let turns = 0; turns < 5; turns += 1) await turn();
    }
  }
}
