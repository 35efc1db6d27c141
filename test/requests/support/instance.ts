/** An instance of the simulation: a store that stays, and an engine on it that lives, dies and is started again. */
import { createEngine, MemoryStore, newInstanceKey } from '@blockwork/core';
import type { ApprovalRule, Caller, CredentialSigner, JsonObject, PolicyEngine, Timers } from '@blockwork/core';
import { SequentialIds, type SimulatedClock } from '@blockwork/testing';
import { ballot, notebook, ownerOf, policyOf, userOf } from './ballot.js';
import { Life, mortalLink, mortalStore, mortalTimers } from './mortal.js';
import type { SimulatedNetwork } from './simulated-network.js';

/** Keys take long to make, and every world can have the same. */
const keys = Array.from({ length: 7 }, newInstanceKey);
const names = keys.map((_, at) => `i${String(at)}`);

export interface Surroundings {
  readonly size: number;
  readonly network: SimulatedNetwork;
  readonly clock: SimulatedClock;
  readonly timers: Timers;
  readonly autoApprove: ApprovalRule | undefined;
}

/** How long a request stays open here, in milliseconds. */
export const REQUEST_MS = 60_000;

export class Instance {
  readonly name: string;
  readonly owner: Caller;
  readonly user: Caller;
  readonly store = new MemoryStore();
  readonly #ids = new SequentialIds();
  life = new Life();
  engine: PolicyEngine;

  constructor(
    private readonly at: number,
    private readonly around: Surroundings,
  ) {
    this.name = names[at] ?? '';
    this.owner = ownerOf(this.name);
    this.user = userOf(this.name);
    this.engine = this.#make();
  }

  get peers(): string[] {
    return names.slice(0, this.around.size).filter((name) => name !== this.name);
  }

  async prepare(): Promise<void> {
    const { policy } = await this.engine.importPolicy(this.owner, policyOf(this.name));
    await this.engine.lifecycle.publish(this.owner, policy.id, '1.0.0');
  }

  /** After its death. */
  start(): void {
    this.life = new Life();
    this.engine = this.#make();
  }

  #make(): PolicyEngine {
    const { network, clock, timers, autoApprove, size } = this.around;
    return createEngine({
      store: mortalStore(this.store, this.life),
      link: mortalLink(network, this.life),
      clock,
      timers: mortalTimers(timers, this.life),
      ids: this.#ids,
      blocks: [ballot, notebook],
      instance: { id: this.name, key: keys[this.at]?.privateKey ?? {} },
      peers: names
        .slice(0, size)
        .map((id, at) => ({ id, key: keys[at]?.publicKey ?? {}, identities: [`did:${id}:*`] })),
      sign: signer,
      ...(autoApprove && { autoApprove }),
      limits: { requestMs: REQUEST_MS, answerMs: 3_600_000 },
    });
  }
}

/** Enough to see that what comes back is what was asked for. */
const signer: CredentialSigner = {
  sign: (credential, by) => Promise.resolve({ ...credential, proof: { by } }),
  verify: ({ proof }, by) => Promise.resolve((proof as JsonObject)['by'] === by),
};
