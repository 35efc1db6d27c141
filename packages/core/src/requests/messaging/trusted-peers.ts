/** The peers: which instances are believed, by which key, and for which identities they may speak. Changeable at any time. */
import type { KeyObject } from 'node:crypto';
import { BlockworkError } from '../../errors.js';
import { instanceName } from '../../records/index.js';
import { ed25519Key, type Ed25519Jwk } from './instance-identity.js';

export interface Peer {
  /** The name of the instance. */
  readonly id: string;
  /** Its Ed25519 public key, as `KeyObject` or JWK (RFC 8037). */
  readonly key: KeyObject | Ed25519Jwk;
  /**
   * The identities whose home it is: whole DIDs, or beginnings that end in `*`. Nobody else's requests are taken from it.
   * `['*']` lets it speak for anybody, except for the owner of a policy here.
   */
  readonly identities: readonly string[];
}

interface Known {
  readonly key: KeyObject;
  readonly identities: readonly string[];
}

export class TrustedPeers {
  readonly #peers = new Map<string, Known>();

  /** Throws `OPTION_INVALID`. */
  constructor(peers: readonly Peer[] = []) {
    for (const peer of peers) this.trust(peer);
  }

  /** From now on, and in place of what was known of this instance. Throws `OPTION_INVALID`. */
  trust({ id, key, identities }: Peer): void {
    if (!instanceName.safeParse(id).success) {
      throw new BlockworkError('OPTION_INVALID', {
        facts: { option: 'peers', reason: 'the id of a peer must be a text of 1 to 200 characters' },
      });
    }
    this.#peers.set(id, { key: ed25519Key(`peers (${id})`, key, 'public'), identities: [...identities] });
  }

  /** From now on. What was taken in before stays. */
  distrust(id: string): void {
    this.#peers.delete(id);
  }

  list(): { id: string; identities: readonly string[] }[] {
    return [...this.#peers].map(([id, { identities }]) => ({ id, identities }));
  }

  has(id: string): boolean {
    return this.#peers.has(id);
  }

  keyOf(id: string): KeyObject | undefined {
    return this.#peers.get(id)?.key;
  }

  /** Whether the identity is at home there. */
  speaksFor(id: string, did: string): boolean {
    const identities = this.#peers.get(id)?.identities ?? [];
    return identities.some((each) => (each.endsWith('*') ? did.startsWith(each.slice(0, -1)) : did === each));
  }
}
