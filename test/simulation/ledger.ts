/** The external ledger: it answers, or not, before or after it has carried an effect out. One for all instances. */
import type { Ledger, LedgerEffect } from '@blockwork/core';
import type { Life } from './life.js';
import type { Network } from './network.js';
import type { Plants } from './plants/plants.js';
import type { Scheduler } from './scheduler.js';

interface LedgerWorld {
  readonly scheduler: Scheduler;
  readonly network: Network;
  readonly plants: Plants;
}

export class SimulatedLedger {
  /** Whether it takes nothing at present. */
  isAway = false;
  readonly #ids = new Set<string>();

  constructor(
    private readonly world: LedgerWorld,
    /** Called when an effect is carried out, once for each id. */
    private readonly carriedOut: (instance: string, effect: LedgerEffect) => void,
  ) {}

  /** What one life of a node has of it. */
  connect(instance: string, name: string, life: Life): Ledger {
    const { scheduler, network } = this.world;
    const settle = (effect: LedgerEffect): Promise<void> =>
      new Promise((resolve, reject) => {
        const back = (act: () => void): void =>
          void scheduler.after(network.latency(), life, `${name} settle back`, act);
        scheduler.after(network.latency(), null, `${name} settle ${effect.id}`, () => {
          if (this.isAway || network.chance(0.03)) {
            back(() => reject(new Error('The ledger cannot be reached.')));
            return;
          }
          this.#carryOut(instance, effect);
          if (network.chance(0.03)) back(() => reject(new Error('The answer of the ledger was lost.')));
          else back(resolve);
        });
      });
    return { check: () => Promise.resolve(), settle, close: () => Promise.resolve() };
  }

  #carryOut(instance: string, effect: LedgerEffect): void {
    const id = `${instance} ${effect.id}`;
    if (this.#ids.has(id) && !this.world.plants.has('effect-without-id')) return;
    this.#ids.add(id);
    this.carriedOut(instance, effect);
  }
}
