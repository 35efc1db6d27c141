/** The ports of one life of an instance: it dies at any call of them, and from then on none of them answers. */
import type { Json, Link, PolicyStore, Timers } from '@blockwork/core';
import type { ChangeSet, LinkMessage, LinkPosition } from '@blockwork/core/adapter';
import type { SimulatedNetwork } from './simulated-network.js';

export class Life {
  #callsLeft = Infinity;
  #happens = false;
  isOver = false;
  readonly #ends: (() => void)[] = [];

  /** Ends with the n-th call of a port from now on; `happens`: that call is still carried out, and nobody learns of it. */
  endsAfter(calls: number, happens: boolean): void {
    this.#callsLeft = calls;
    this.#happens = happens;
  }

  atEnd(run: () => void): void {
    this.#ends.push(run);
  }

  end(): void {
    this.isOver = true;
    for (const run of this.#ends.splice(0)) run();
  }

  async call<T>(act: () => T | Promise<T>): Promise<T> {
    if (this.isOver) return forever();
    this.#callsLeft -= 1;
    const isLast = this.#callsLeft === 0;
    if (isLast) this.end();
    if (isLast && !this.#happens) return forever();
    const result = await act();
    // Ended by this call, or by another one meanwhile.
    return (this.isOver as boolean) ? forever() : result;
  }
}

/** A process that has died neither answers nor fails. */
const forever = (): Promise<never> => new Promise<never>(() => undefined);

export function mortalStore(store: PolicyStore, life: Life): PolicyStore {
  return {
    capabilities: store.capabilities,
    revision: (key) => life.call(() => store.revision(key)),
    get: (kind, partition, id) => life.call(() => store.get(kind, partition, id)),
    find: (kind, partition, query) => life.call(() => store.find(kind, partition, query)),
    count: (kind, partition, where) => life.call(() => store.count(kind, partition, where)),
    commit: (changeSet: ChangeSet) => life.call(() => store.commit(changeSet)),
    close: () => Promise.resolve(),
  };
}

export function mortalLink(network: SimulatedNetwork, life: Life): Link {
  return {
    publish: (topic: string, body: Json, key: string) => life.call(() => network.publish(topic, body, key)),
    subscribe: (topic: string, receive: (message: LinkMessage) => Promise<void>, from?: LinkPosition) =>
      life.call(() => {
        life.atEnd(() => network.drop(receive));
        return network.subscribe(topic, receive, from);
      }),
    onLoss: () => () => undefined,
    status: () => ({ isConnected: !life.isOver, setAside: 0, losses: 0 }),
    close: () => Promise.resolve(),
  };
}

export const mortalTimers = (timers: Timers, life: Life): Timers => ({
  after: (ms, run) =>
    timers.after(ms, () => {
      if (!life.isOver) run();
    }),
});
