/** Keys held by members themselves: for their own identity, and for devices that sign on their behalf. */
import type { Caller } from '../../access/index.js';
import { publishedDocument, readKeyRegistration, type KeyRegistration } from '../../credentials/index.js';
import { BlockworkError } from '../../errors.js';
import { demandObject, demandOptions } from '../../options/index.js';
import { isoNow, type Clock } from '../../ports/index.js';
import { equalTo, INSTANCE } from '../../records/index.js';
import type { IdentityKey, JsonObject } from '../../records/index.js';
import { lanes, revisionKeys, type Executor, type RecordReader, type UnitOfWork } from '../../transactions/index.js';
import type { Gate } from '../gate.js';
import type { EngineLimits } from '../limits.js';
import type { ListPage, Range } from '../page.js';

export interface IdentitiesDeps {
  readonly store: RecordReader;
  readonly executor: Executor;
  readonly clock: Clock;
  readonly limits: Pick<EngineLimits, 'identityKeys'>;
}

/** A key to register. */
export interface KeyInput {
  /**
   * A credential signed with the key (`eddsa-jcs-2022`). Its one subject is `{id: <the caller>, type:
   * 'KeyRegistration'}`. Its issuer is the caller for a key of their own, or the `did:key` of a device; the proof's
   * verification method is `<issuer>#<multikey>`.
   */
  readonly registration: unknown;
  /** The caller's name for it; 200 characters at most. */
  readonly name?: string | undefined;
}

/**
 * Signatures of a registered key are accepted as the caller's, in every policy they are a member of. Every method
 * throws `PERMISSION_DENIED` (`POLICIES_POLICY_EXECUTE`), `ENGINE_CLOSED`.
 */
export class Identities {
  constructor(
    private readonly gate: Gate,
    private readonly deps: IdentitiesDeps,
  ) {}

  /**
   * Registers a key. Idempotent. Throws `INPUT_INVALID`, `CREDENTIAL_INVALID`, `KEY_REGISTERED` if it was registered
   * differently or revoked, `KEYS_TOO_MANY`, and the errors common to all methods.
   *
   * @example const { id } = await engine.identities.register(alice, { registration, name: 'Meter' });
   */
  async register(caller: Caller, input: KeyInput): Promise<IdentityKey> {
    const wanted = await this.#read(caller, 'identities.register', input);
    return this.#change(caller, [wanted.key], (unit) => this.#add(unit, wanted));
  }

  /**
   * The caller's keys, newest first, including revoked ones; `total` counts all. Throws the errors common to all
   * methods.
   *
   * @example const { items } = await engine.identities.list(alice);
   */
  async list(caller: Caller, range: Range = {}): Promise<ListPage<IdentityKey>> {
    this.gate.admit(caller, 'POLICIES_POLICY_EXECUTE');
    demandOptions(range, 'identities.list', 'range');
    const where = equalTo('member', caller.did);
    const order = { path: 'createDate', direction: 'desc' } as const;
    const [items, total] = await Promise.all([
      this.deps.store.find('identity-key', INSTANCE, { ...range, where, order }),
      this.deps.store.count('identity-key', INSTANCE, where),
    ]);
    return { items, total };
  }

  /**
   * The DID document, without revoked keys, of an identity that signs here, has registered a key, or is a `did:key`.
   * Throws `IDENTITY_UNKNOWN`, and the errors common to all methods.
   *
   * @example const document = await engine.identities.getDocument(owner, alice.did);
   */
  async getDocument(caller: Caller, did: string): Promise<JsonObject> {
    this.gate.admit(caller, 'POLICIES_POLICY_EXECUTE');
    const document = typeof did === 'string' ? await publishedDocument(this.deps.store, did) : undefined;
    if (document === undefined) throw new BlockworkError('IDENTITY_UNKNOWN', { facts: { did } });
    return document;
  }

  /**
   * Revokes a key: its signatures are no longer accepted; documents already accepted stay valid. Idempotent. Throws
   * `KEY_UNKNOWN`, and the errors common to all methods.
   *
   * @example const { revokeDate } = await engine.identities.revoke(alice, key);
   */
  async revoke(caller: Caller, key: string): Promise<IdentityKey> {
    return this.#change(caller, [], async (unit) => {
      const stored = await keyOf(unit, caller, key);
      return stored.revokeDate === undefined ? this.#revoke(unit, stored) : stored;
    });
  }

  /**
   * Registers a key and revokes the one it replaces, atomically. Resolves to the new one. Idempotent. Throws
   * `KEY_UNKNOWN`, `KEY_REVOKED` if the old one was already revoked, and as `register`.
   *
   * @example const { id } = await engine.identities.rotate(alice, key, { registration });
   */
  async rotate(caller: Caller, key: string, input: KeyInput): Promise<IdentityKey> {
    const wanted = await this.#read(caller, 'identities.rotate', input);
    return this.#change(caller, [wanted.key], async (unit) => {
      const stored = await keyOf(unit, caller, key);
      if (stored.replacedBy === wanted.key) return keyOf(unit, caller, wanted.key);
      if (stored.revokeDate !== undefined) throw new BlockworkError('KEY_REVOKED', { facts: { key } });
      if (key === wanted.key) throw new BlockworkError('KEY_REGISTERED', { facts: { key } });
      const name = wanted.name ?? stored.name;
      const added = await this.#add(unit, { ...wanted, ...(name !== undefined && { name }) });
      this.#revoke(unit, { ...stored, replacedBy: added.id });
      return added;
    });
  }

  async #read(caller: Caller, method: string, input: KeyInput): Promise<WantedKey> {
    this.gate.admit(caller, 'POLICIES_POLICY_EXECUTE');
    demandObject(input, method, 'input', 'a registration, and perhaps a name');
    const { registration, name } = input;
    if (name !== undefined && (typeof name !== 'string' || name.length > NAME_LENGTH)) {
      const reason = `The name of a key must be a string of at most ${String(NAME_LENGTH)} characters.`;
      throw new BlockworkError('INPUT_INVALID', {
        facts: { reason },
        details: [{ path: '/name', message: 'is too long' }],
      });
    }
    const read = await readKeyRegistration(registration, this.deps.clock.now());
    const reason = 'reason' in read ? read.reason : read.member === caller.did ? null : 'its subject is not the caller';
    if ('reason' in read || reason !== null) {
      throw new BlockworkError('CREDENTIAL_INVALID', {
        facts: { reason: `as a registration of a key: ${String(reason)}` },
      });
    }
    return { ...read, ...(name !== undefined && { name }) };
  }

  async #add(unit: UnitOfWork, { key, did, member, name }: WantedKey): Promise<IdentityKey> {
    const existing = await unit.get('identity-key', INSTANCE, key);
    if (existing !== undefined) {
      if (existing.member === member && existing.did === did && existing.revokeDate === undefined) return existing;
      throw new BlockworkError('KEY_REGISTERED', { facts: { key } });
    }
    const count = await unit.count('identity-key', INSTANCE, equalTo('member', member));
    if (count >= this.deps.limits.identityKeys) throw new BlockworkError('KEYS_TOO_MANY', { facts: { count } });
    const createDate = isoNow(this.deps.clock);
    const added: IdentityKey = { id: key, did, member, ...(name !== undefined && { name }), createDate };
    unit.put('identity-key', INSTANCE, added);
    return added;
  }

  #revoke(unit: UnitOfWork, stored: IdentityKey): IdentityKey {
    const revoked = { ...stored, revokeDate: isoNow(this.deps.clock) };
    unit.put('identity-key', INSTANCE, revoked);
    return revoked;
  }

  async #change<T>(caller: Caller, added: readonly string[], work: (unit: UnitOfWork) => Promise<T>): Promise<T> {
    this.gate.admit(caller, 'POLICIES_POLICY_EXECUTE');
    const { did } = caller;
    const keys = [revisionKeys.identityKeys.of(did), ...added.map((key) => revisionKeys.identityKey.of(key))];
    return (await this.deps.executor.run(lanes.identityKeys.of(did), keys, work)).result;
  }
}

const NAME_LENGTH = 200;

type WantedKey = KeyRegistration & { readonly name?: string };

/** Does not disclose whether a key of another caller exists. */
async function keyOf(unit: UnitOfWork, { did }: Caller, key: string): Promise<IdentityKey> {
  const stored = await unit.get('identity-key', INSTANCE, key);
  if (stored?.member === did) return stored;
  throw new BlockworkError('KEY_UNKNOWN', { facts: { key } });
}
