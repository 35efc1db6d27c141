/** A snapshot of the peers, against which a message is verified. */
import type { KeyObject } from 'node:crypto';

export interface KnownPeer {
  readonly key: KeyObject;
  readonly identities: readonly string[];
}

export class KnownPeers {
  constructor(private readonly peers: ReadonlyMap<string, KnownPeer>) {}

  list(): { id: string; identities: readonly string[] }[] {
    return [...this.peers].map(([id, { identities }]) => ({ id, identities }));
  }

  has(id: string): boolean {
    return this.peers.has(id);
  }

  keyOf(id: string): KeyObject | undefined {
    return this.peers.get(id)?.key;
  }

  /** Whether the instance may speak for the identity. */
  speaksFor(id: string, did: string): boolean {
    const identities = this.peers.get(id)?.identities ?? [];
    return identities.some((each) => (each.endsWith('*') ? did.startsWith(each.slice(0, -1)) : did === each));
  }
}
