/** The accounts of the sandbox, in memory. */
import { DerivedAccounts } from '@blockwork/core';
import type { Accounts, Clock, Ids } from '@blockwork/core';
import { isoNow } from '@blockwork/core/adapter';
import { SandboxError } from '../errors.js';
import { Shelf } from '../memory/shelf.js';
import type { Account, AccountRole } from './account.js';
import { hashNow, hashPassword, isPassword, type PasswordHash } from './passwords.js';

/** A preconfigured account. */
export interface GivenAccount {
  readonly username: string;
  readonly password: string;
  readonly role: AccountRole;
  /** If given, the profile is complete. */
  readonly did?: string;
  /** DID of its registry. */
  readonly parent?: string;
  readonly hederaAccountId?: string;
}

export interface AccountBookDeps {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limit: number;
}

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Also the engine's ledger account port: accounts named by profiles, otherwise derived from the DID. */
export class AccountBook implements Accounts {
  readonly #deps: AccountBookDeps;
  readonly #accounts: Shelf<Account>;
  readonly #byName = new Map<string, Account>();
  readonly #byDid = new Map<string, Account>();
  /** Ids of the preconfigured ones. */
  readonly #given = new Set<string>();
  readonly #others = new DerivedAccounts();

  constructor(deps: AccountBookDeps, given: readonly GivenAccount[]) {
    this.#deps = deps;
    this.#accounts = new Shelf({ what: 'accounts', count: deps.limit, whenFull: 'refuse' });
    for (const { username, password, role, ...profile } of given) {
      const { id } = this.#put({ ...this.#new(username, role, hashNow(password, deps.ids.uuid())), ...profile });
      this.#given.add(id);
    }
  }

  /**
   * Makes room, where there is none, by removing the registration that has waited longest for its profile. Rejects with
   * `ACCOUNT_EXISTS`, `SANDBOX_FULL`.
   */
  async register({ username, password }: Credentials, role: AccountRole): Promise<Account> {
    this.#assertFree(username);
    const hash = await hashPassword(password, this.#deps.ids.uuid());
    // The name may have been taken concurrently.
    this.#assertFree(username);
    if (this.all().length >= this.#deps.limit) this.#removeUnfinished();
    return this.#put(this.#new(username, role, hash));
  }

  /** Rejects with `LOGIN_REFUSED` for a wrong name or password, without distinguishing them. */
  async login({ username, password }: Credentials): Promise<Account> {
    const account = this.#byName.get(username);
    const matches = await isPassword(password, account?.password ?? nobody);
    if (account === undefined || !matches) throw new SandboxError('LOGIN_REFUSED');
    return this.#byName.get(username) ?? account;
  }

  /** Assigns a DID to an account without one. DID, ledger account and registry are immutable once set. */
  setProfile(id: string, { hederaAccountId, parent }: { hederaAccountId: string; parent: string | null }): Account {
    const account = this.#accounts.get(id);
    if (account === undefined) throw new SandboxError('TOKEN_REFUSED', { kind: 'access' });
    if (account.did !== null) return account;
    const { ids, clock } = this.#deps;
    const isRegistry = account.role === 'STANDARD_REGISTRY';
    return this.#put({
      ...account,
      did: `did:example:sandbox:${ids.uuid().replaceAll('-', '')}`,
      parent: isRegistry ? null : (parent ?? this.#onlyRegistry()),
      hederaAccountId,
      topicId: isRegistry ? `0.0.${String(Number.parseInt(ids.uuid().slice(-12), 16))}` : null,
      updateDate: isoNow(clock),
    });
  }

  byId(id: string): Account | undefined {
    return this.#accounts.get(id);
  }

  byName(username: string): Account | undefined {
    return this.#byName.get(username);
  }

  byDid(did: string): Account | undefined {
    return this.#byDid.get(did);
  }

  /** Oldest first. */
  all(): Account[] {
    return this.#accounts.values();
  }

  async accountOf(did: string): Promise<string | null> {
    return this.#byDid.get(did)?.hederaAccountId ?? (await this.#others.accountOf(did));
  }

  /** Preconfigured accounts stay. */
  #removeUnfinished(): void {
    const unfinished = this.all().find(({ id, did }) => did === null && !this.#given.has(id));
    if (unfinished === undefined) return;
    this.#accounts.delete(unfinished.id);
    this.#byName.delete(unfinished.username);
  }

  #assertFree(username: string): void {
    if (this.#byName.has(username)) throw new SandboxError('ACCOUNT_EXISTS');
  }

  /** Default for clients that name no registry: the only one, if unambiguous. */
  #onlyRegistry(): string | null {
    const registries = this.all().filter(({ role, did }) => role === 'STANDARD_REGISTRY' && did !== null);
    return registries.length === 1 ? (registries[0]?.did ?? null) : null;
  }

  #new(username: string, role: AccountRole, password: PasswordHash): Account {
    const { ids, clock } = this.#deps;
    const now = isoNow(clock);
    const id = ids.uuid().replaceAll('-', '').slice(-24);
    const profile = { did: null, parent: null, hederaAccountId: null, topicId: null };
    return { id, username, password, role, ...profile, createDate: now, updateDate: now };
  }

  #put(account: Account): Account {
    this.#accounts.put(account.id, account);
    this.#byName.set(account.username, account);
    if (account.did !== null) this.#byDid.set(account.did, account);
    return account;
  }
}

/** Prevents timing attacks: an unknown name takes as long as a wrong password. */
const nobody: PasswordHash = { salt: 'nobody', hash: Buffer.alloc(32).toString('base64') };
