/** The peers: which instances are believed, by which key, and for which identities they may speak. Changeable at any time. */
import type { KeyObject } from 'node:crypto';
import { checkOptions, optionTypes, type OptionShape } from '../../options/index.js';
import { ed25519Key, instanceId, type Ed25519Jwk } from './instance-identity.js';

export interface Peer {
  /** The name of the instance. */
  readonly id: string;
  /** Its Ed25519 public key, as `KeyObject` or JWK (RFC 8037). */
  readonly key: KeyObject | Ed25519Jwk;
  /**
   * The identities it may speak for: DIDs, or prefixes that end in `*`. `['*']` covers all identities, except owners of
   * policies hosted here.
   */
  readonly identities: readonly string[];
}

const shape: OptionShape<Peer> = {
  id: instanceId,
  key: optionTypes.object,
  identities: optionTypes.list(optionTypes.text),
};

interface Known {
  readonly key: KeyObject;
  readonly identities: readonly string[];
}

export class TrustedPeers {
  readonly #peers = new Map<string, Known>();

  /** Throws `OPTION_INVALID`. */
  constructor(peers: readonly Peer[] = []) {
    for (const [at, peer] of peers.entries()) this.#trust(peer, `peers[${String(at)}].`);
  }

  /** From now on, and in place of what was known of this instance. Throws `OPTION_INVALID`. */
  trust(peer: Peer): void {
    this.#trust(peer, 'peer.');
  }

  #trust(peer: Peer, option: string): void {
    checkOptions(peer, shape, option);
    const { id, key, identities } = peer;
    this.#peers.set(id, { key: ed25519Key(`${option}key`, key, 'public'), identities: [...identities] });
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
