/** The accounts of the sandbox. */
import { type Accounts, type Clock, DerivedAccounts, type Ids } from '@blockwork/core';
import { isoNow } from '@blockwork/core/adapter';
import { scrypt, scryptSync, timingSafeEqual } from 'node:crypto';
import { SandboxError } from '../errors.js';
import type { KeptState } from '../memory/kept-state.js';
import { Shelf } from '../memory/shelf.js';
import { type Account, type AccountRole, storedAccount, type KeptAccount } from './account.js';

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
  readonly state: KeptState;
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
  /** Those that are not configured any more: nobody can use them, but they keep their DID for when they are again. */
  readonly #withdrawn: readonly KeptAccount[];
  readonly #others = new DerivedAccounts();

  constructor(deps: AccountBookDeps, initialAccounts: readonly GivenAccount[]) {
    this.#deps = deps;
    this.#accounts = new Shelf({ what: 'accounts', count: deps.limit, whenFull: 'refuse' });
    const restored = deps.state.open('accounts', storedAccount, () => this.#kept());
    const before = new Map(
      restored.flatMap((account) => (account.isGiven ? [[account.username, account] as const] : [])),
    );
    for (const account of initialAccounts) this.#give(account, before.get(account.username));
    for (const account of restored) this.#takeBack(account);
    this.#withdrawn = restored.filter(
      ({ isGiven, username }) => isGiven && !initialAccounts.some((each) => each.username === username),
    );
  }

  /**
   * Makes room, where there is none, by removing the registration that has waited longest for its profile. Rejects with
   * `ACCOUNT_EXISTS`, `SANDBOX_FULL`, `STATE_NOT_KEPT`.
   */
  async register({ username, password }: Credentials, role: AccountRole): Promise<Account> {
    this.#assertFree(username);
    const hash = await hashPassword(password, this.#deps.ids.uuid());
    // The name may have been taken concurrently.
    this.#assertFree(username);
    if (this.all().length >= this.#deps.limit) this.#removeUnfinished();
    const account = this.#put({ ...this.#new(username, role), password: hash });
    await this.#deps.state.save();
    return account;
  }

  /** Rejects with `LOGIN_REFUSED` for a wrong name or password, without distinguishing them. */
  async login({ username, password }: Credentials): Promise<Account> {
    const account = this.#byName.get(username);
    const matches = await isPassword(password, account?.password ?? nobody);
    if (account === undefined || !matches) throw new SandboxError('LOGIN_REFUSED');
    return this.#byName.get(username) ?? account;
  }

  /**
   * Assigns a DID to an account without one. DID, ledger account and registry are immutable once set. Rejects with
   * `TOKEN_REFUSED`, `STATE_NOT_KEPT`.
   */
  async setProfile(
    id: string,
    { hederaAccountId, parent }: { hederaAccountId: string; parent: string | null },
  ): Promise<Account> {
    const account = this.#accounts.get(id);
    if (account === undefined) throw new SandboxError('TOKEN_REFUSED', { kind: 'access' });
    if (account.did !== null) return account;
    const { ids, clock } = this.#deps;
    const isRegistry = account.role === 'STANDARD_REGISTRY';
    const complete = this.#put({
      ...account,
      did: `did:example:sandbox:${ids.uuid().replaceAll('-', '')}`,
      parent: isRegistry ? null : (parent ?? this.#onlyRegistry()),
      hederaAccountId,
      topicId: isRegistry ? `0.0.${String(Number.parseInt(ids.uuid().slice(-12), 16))}` : null,
      updateDate: isoNow(clock),
    });
    await this.#deps.state.save();
    return complete;
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

  /** What is configured wins; what only an earlier process knows about the same account stays. */
  #give(
    { username, password, role, did, parent, hederaAccountId }: GivenAccount,
    before: KeptAccount | undefined,
  ): void {
    const facts = before === undefined ? this.#new(username, role) : factsOf(before);
    const profile = {
      did: did ?? facts.did,
      parent: parent ?? facts.parent,
      hederaAccountId: hederaAccountId ?? facts.hederaAccountId,
    };
    const account = { ...facts, ...profile, role, password: hashNow(password, this.#deps.ids.uuid()) };
    this.#given.add(this.#put(account).id);
  }

  /** A registered account of an earlier process, unless its name is configured now. */
  #takeBack(account: KeptAccount): void {
    const { isGiven, password, username } = account;
    if (!isGiven && password !== null && !this.#byName.has(username)) this.#put({ ...factsOf(account), password });
  }

  /** Without the passwords of the configured ones, which the configuration has. */
  #kept(): KeptAccount[] {
    const accounts = this.all().map((account) => {
      const isGiven = this.#given.has(account.id);
      return { ...account, isGiven, password: isGiven ? null : account.password };
    });
    return [...accounts, ...this.#withdrawn];
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

  #new(username: string, role: AccountRole): Omit<Account, 'password'> {
    const { ids, clock } = this.#deps;
    const now = isoNow(clock);
    const id = ids.uuid().replaceAll('-', '').slice(-24);
    const profile = { did: null, parent: null, hederaAccountId: null, topicId: null };
    return { id, username, role, ...profile, createDate: now, updateDate: now };
  }

  #put(account: Account): Account {
    this.#accounts.put(account.id, account);
    this.#byName.set(account.username, account);
    if (account.did !== null) this.#byDid.set(account.did, account);
    return account;
  }
}

const factsOf = ({ isGiven: _isGiven, password: _password, ...facts }: KeptAccount): Omit<Account, 'password'> => facts;

/** Prevents timing attacks: an unknown name takes as long as a wrong password. */
const nobody: PasswordHash = { salt: 'nobody', hash: Buffer.alloc(32).toString('base64') };

/** A quarter of Node's default: tests log in often. */
const cost = { N: 4096 };
const LENGTH = 32;

interface PasswordHash {
  readonly salt: string;
  /** base64 */
  readonly hash: string;
}

/** Synchronous; used only at startup. */
const hashNow = (password: string, salt: string): PasswordHash => ({
  salt,
  hash: scryptSync(password, salt, LENGTH, cost).toString('base64'),
});

const hashPassword = (password: string, salt: string): Promise<PasswordHash> =>
  new Promise((resolve, reject) => {
    scrypt(password, salt, LENGTH, cost, (error, hash) => {
      if (error === null) resolve({ salt, hash: hash.toString('base64') });
      else reject(error);
    });
  });

async function isPassword(password: string, { salt, hash }: PasswordHash): Promise<boolean> {
  const hashed = await hashPassword(password, salt);
  return timingSafeEqual(Buffer.from(hashed.hash), Buffer.from(hash));
}
