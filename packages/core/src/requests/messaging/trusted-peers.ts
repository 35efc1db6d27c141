/**
 * The peers: which instances are trusted, by which key, and for which identities they may speak. The option `peers`
 * configures them for this process; run-time changes are kept in the store, apply to every process that shares it, and
 * take precedence over the option.
 */
import type { KeyObject } from 'node:crypto';
import { checkOptions, demandObject, demandText, valueTypes, type OptionsOf } from '../../options/index.js';
import type { PolicyStore } from '../../ports/index.js';
import { INSTANCE, type TrustedPeer } from '../../records/index.js';
import { lanes, revisionKeys, type Executor } from '../../transactions/index.js';
import { ed25519Key, instanceId, type Ed25519Jwk } from './instance-identity.js';
import { KnownPeers, type KnownPeer } from './known-peers.js';

const shape = {
  /** The name of the instance. */
  id: instanceId,
  /** Its Ed25519 public key, as `KeyObject` or JWK (RFC 8037). */
  key: valueTypes.as<KeyObject | Ed25519Jwk>(valueTypes.object),
  /**
   * The identities it may speak for: DIDs, or prefixes that end in `*`. `['*']` covers all identities, except owners of
   * policies hosted here.
   */
  identities: valueTypes.list(valueTypes.text),
};

export type Peer = OptionsOf<typeof shape, 'id' | 'key' | 'identities'>;

export type GivenPeers = ReadonlyMap<string, KnownPeer>;

/** The option `peers`. Throws `OPTION_INVALID`. */
export const peersFrom = (peers: readonly Peer[] = []): GivenPeers =>
  new Map(peers.map((peer, at) => [peer.id, checked(peer, `peers[${String(at)}].`)]));

export interface TrustedPeersDeps {
  readonly store: Pick<PolicyStore, 'revision' | 'find'>;
  readonly executor: Pick<Executor, 'run'>;
}

/** Every method throws `ENGINE_CLOSED`. */
export class TrustedPeers {
  #current: { readonly revision: number; readonly peers: KnownPeers } | null = null;

  constructor(
    private readonly configured: GivenPeers,
    private readonly deps: TrustedPeersDeps,
  ) {}

  /**
   * Takes effect with the next message, replacing what was known of this instance. Throws `OPTION_INVALID`,
   * `ENGINE_CLOSED`.
   *
   * @example await engine.program.requests.peers.trust({ id: 'north', key: northKey, identities: ['did:web:north.example:*'] });
   */
  async trust(peer: Peer): Promise<void> {
    demandObject(peer, 'program.requests.peers.trust', 'peer', 'id, key and identities');
    const { key, identities } = checked(peer, 'peer.');
    const { kty = '', crv = '', x = '' } = key.export({ format: 'jwk' });
    await this.#put({ id: peer.id, key: { kty, crv, x }, identities: [...identities] });
  }

  /**
   * Takes effect with the next message and overrides the option, until the instance is trusted again. Earlier requests
   * stay. Throws `INPUT_INVALID`, `ENGINE_CLOSED`.
   *
   * @example await engine.program.requests.peers.distrust('north');
   */
  async distrust(id: string): Promise<void> {
    demandText(id, 'program.requests.peers.distrust', 'id');
    await this.#put({ id, key: null, identities: [] });
  }

  /** @example const peers = await engine.program.requests.peers.list(); */
  async list(): Promise<{ id: string; identities: readonly string[] }[]> {
    return (await this.known()).list();
  }

  /**
   * The current peers, for one message.
   *
   * @example const peers = await engine.program.requests.peers.known();
   */
  async known(): Promise<KnownPeers> {
    // A read may be newer than the revision read before it: then it is repeated.
    const revision = await this.deps.store.revision(revisionKeys.peers.of());
    if (this.#current?.revision !== revision) this.#current = { revision, peers: await this.#read() };
    return this.#current.peers;
  }

  async #read(): Promise<KnownPeers> {
    const peers = new Map(this.configured);
    for (const { id, key, identities } of await this.deps.store.find('trusted-peer', INSTANCE)) {
      if (key === null) peers.delete(id);
      else peers.set(id, { key: ed25519Key('peer.key', key, 'public'), identities });
    }
    return new KnownPeers(peers);
  }

  async #put(value: TrustedPeer): Promise<void> {
    await this.deps.executor.run(lanes.peers.of(), [revisionKeys.peers.of()], (unit) => {
      unit.put('trusted-peer', INSTANCE, value);
      return Promise.resolve();
    });
  }
}

function checked(peer: Peer, option: string): KnownPeer {
  checkOptions(peer, shape, option);
  const { key, identities } = peer;
  return { key: ed25519Key(`${option}key`, key, 'public'), identities: [...identities] };
}
