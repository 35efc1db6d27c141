/** Seeded keys: the key of every identity, derived from one secret seed, so that none is ever stored. */
import { createHash, createPrivateKey, hkdfSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { BlockworkError } from '../errors.js';
import type { Keys } from '../ports/index.js';

const SEED_BYTES = 32;

/** Derived keys that are kept at hand; deriving one again costs more than ten signatures. */
const KEPT_AT_MOST = 10_000;

/** What precedes the 32 bytes of an Ed25519 private key in PKCS #8 (RFC 8410, section 7). */
const PKCS8_HEADER = Buffer.from('302e020100300506032b657004220420', 'hex');

interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: Uint8Array;
}

/**
 * The same seed gives the same keys, on every machine and after every restart. Whoever has the seed can sign for everybody.
 * Without one, a random seed is taken that is lost with the process: identities get other keys after a restart, and those
 * made here can no longer sign; what they signed before stays verifiable, for their documents keep the old keys. So with a
 * store that outlives the process, give a seed.
 */
export class SeededKeys implements Keys {
  readonly #seed: Uint8Array;
  readonly #kept = new LRUCache<string, KeyPair>({ max: KEPT_AT_MOST });

  /** 32 secret bytes, for instance of `randomBytes(32)`, kept where secrets are. `OPTION_INVALID` for any other length. */
  constructor(seed: Uint8Array = randomBytes(SEED_BYTES)) {
    if (!(seed instanceof Uint8Array) || seed.length !== SEED_BYTES) {
      const reason = `a seed of keys has ${String(SEED_BYTES)} bytes`;
      throw new BlockworkError('OPTION_INVALID', { facts: { option: 'keys', reason } });
    }
    this.#seed = Uint8Array.from(seed);
  }

  async publicKey(name: string): Promise<Uint8Array> {
    return Uint8Array.from(this.#pair(name).publicKey);
  }

  async sign(name: string, bytes: Uint8Array): Promise<Uint8Array> {
    return sign(null, bytes, this.#pair(name).privateKey);
  }

  #pair(name: string): KeyPair {
    // A `did:key` names its own key, which no seed can lead to.
    if (name.startsWith('did:key:')) throw new BlockworkError('KEY_UNAVAILABLE', { facts: { did: name } });
    let pair = this.#kept.get(name);
    if (pair === undefined) this.#kept.set(name, (pair = this.#derive(name)));
    return pair;
  }

  #derive(name: string): KeyPair {
    const info = createHash('sha256').update(name).digest();
    const secret = Buffer.from(hkdfSync('sha256', this.#seed, 'blockwork identity key', info, 32));
    const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_HEADER, secret]), format: 'der', type: 'pkcs8' });
    const { x = '' } = privateKey.export({ format: 'jwk' });
    return { privateKey, publicKey: Uint8Array.from(Buffer.from(x, 'base64url')) };
  }
}
