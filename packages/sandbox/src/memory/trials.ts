/** Virtual users: in a dry run the owner of a policy acts as one of them. */
import type { Accounts, Caller, Ids } from '@blockwork/core';
import { SandboxError } from '../errors.js';
import { z } from 'zod';
import type { KeptState } from './kept-state.js';
import { Shelf } from './shelf.js';

const virtualUser = z.object({
  id: z.string(),
  did: z.string(),
  username: z.string(),
  hederaAccountId: z.string().nullable(),
});
export type VirtualUser = Readonly<z.infer<typeof virtualUser>>;

/** `active` is a DID. */
const storedTrial = z.object({ policyId: z.string(), users: z.array(virtualUser).min(1), active: z.string() });

/** As sent to clients. */
export interface ListedUser extends VirtualUser {
  readonly active: boolean;
}

interface Trial {
  readonly policyId: string;
  /** The owner first. */
  readonly users: readonly VirtualUser[];
  readonly active: VirtualUser;
}

export interface TrialDeps {
  readonly ids: Ids;
  readonly accounts: Accounts;
  readonly limits: { readonly trials: number; readonly virtualUsers: number };
  readonly state: KeptState;
}

export class Trials {
  readonly #deps: TrialDeps;
  readonly #trials: Shelf<Trial>;

  constructor(deps: TrialDeps) {
    this.#deps = deps;
    this.#trials = new Shelf({ what: 'trials', count: deps.limits.trials, whenFull: 'forget-oldest' });
    const restored = deps.state.open('trials', storedTrial, () =>
      this.#trials.values().map(({ policyId, users, active }) => ({ policyId, users: [...users], active: active.did })),
    );
    for (const { policyId, users, active: did } of restored) {
      const [owner] = users;
      const active = users.find((user) => user.did === did) ?? owner;
      if (active !== undefined) this.#trials.put(policyId, { policyId, users, active });
    }
  }

  async users(policyId: string, owner: string): Promise<ListedUser[]> {
    return listed(await this.#trial(policyId, owner));
  }

  /** The new one is the last. Rejects with `SANDBOX_FULL`, `STATE_NOT_KEPT`. */
  async add(policyId: string, owner: string): Promise<ListedUser[]> {
    const { users } = await this.#trial(policyId, owner);
    const limit = this.#deps.limits.virtualUsers;
    if (users.length >= limit) throw new SandboxError('SANDBOX_FULL', { what: 'virtual users of a policy', limit });
    const did = `did:example:virtual:${this.#deps.ids.uuid().replaceAll('-', '')}`;
    const user = await this.#user(did, `Virtual User ${String(users.length)}`);
    // Others may have been added concurrently.
    const trial = this.#trials.get(policyId) ?? (await this.#trial(policyId, owner));
    return listed(await this.#keep({ ...trial, users: [...trial.users, user] }));
  }

  /** Rejects with `VIRTUAL_USER_UNKNOWN`, `STATE_NOT_KEPT`. */
  async login(policyId: string, owner: string, did: string): Promise<ListedUser[]> {
    const trial = await this.#trial(policyId, owner);
    const active = trial.users.find((user) => user.did === did);
    if (active === undefined) throw new SandboxError('VIRTUAL_USER_UNKNOWN', { policyId, did });
    return listed(await this.#keep({ ...trial, active }));
  }

  /** The owner is active again; the virtual users stay. */
  async restart(policyId: string): Promise<void> {
    const trial = this.#trials.get(policyId);
    const [active] = trial?.users ?? [];
    if (trial !== undefined && active !== undefined) await this.#keep({ ...trial, active });
  }

  /** The policy is no longer in this trial. */
  async forget(policyId: string): Promise<void> {
    if (this.#trials.delete(policyId)) await this.#deps.state.save();
  }

  /** The virtual user that the owner acts as; `undefined` for themselves. The policy may have left its trial. */
  activeFor(policyId: string, caller: Caller): Caller | undefined {
    const trial = this.#trials.get(policyId);
    const [owner] = trial?.users ?? [];
    if (trial === undefined || owner?.did !== caller.did || trial.active.did === owner.did) return undefined;
    const { did, username } = trial.active;
    return { ...caller, did, username };
  }

  async #trial(policyId: string, owner: string): Promise<Trial> {
    const existing = this.#trials.get(policyId);
    if (existing?.users[0]?.did === owner) return existing;
    const administrator = await this.#user(owner, 'Administrator');
    const meanwhile = this.#trials.get(policyId);
    if (meanwhile?.users[0]?.did === owner) return meanwhile;
    return this.#put({ policyId, users: [administrator], active: administrator });
  }

  async #user(did: string, username: string): Promise<VirtualUser> {
    const id = this.#deps.ids.uuid().replaceAll('-', '').slice(-24);
    return { id, did, username, hederaAccountId: await this.#deps.accounts.accountOf(did) };
  }

  #put(trial: Trial): Trial {
    this.#trials.put(trial.policyId, trial);
    return trial;
  }

  async #keep(trial: Trial): Promise<Trial> {
    this.#put(trial);
    await this.#deps.state.save();
    return trial;
  }
}

const listed = ({ users, active }: Trial): ListedUser[] =>
  users.map((user) => ({ ...user, active: user.did === active.did }));
