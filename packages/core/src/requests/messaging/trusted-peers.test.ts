import { describe, expect, it } from 'vitest';
import { newInstanceKey } from './instance-identity.js';
import { TrustedPeers } from './trusted-peers.js';

const key = newInstanceKey().publicKey;
const peersWith = (...identities: string[]): TrustedPeers => new TrustedPeers([{ id: 'north', key, identities }]);
const speaksFor = (identities: string[], did: string): boolean => peersWith(...identities).speaksFor('north', did);

describe('a trusted peer', () => {
  it('that is trusted for one whole DID speaks for that DID and no other', () => {
    expect(speaksFor(['did:north:ana'], 'did:north:ana')).toBe(true);
    for (const other of ['did:north:anabel', 'did:north:an', 'did:north:bob', 'did:south:ana', '', '*']) {
      expect([other, speaksFor(['did:north:ana'], other)]).toEqual([other, false]);
    }
  });

  it('that is trusted for a prefix speaks for the identities that begin with it', () => {
    expect(speaksFor(['did:north:*'], 'did:north:ana')).toBe(true);
    expect(speaksFor(['did:north:*'], 'did:north:')).toBe(true);
    expect(speaksFor(['did:north:*'], 'did:northern:ana')).toBe(false);
    expect(speaksFor(['did:north:*'], 'did:south:did:north:ana')).toBe(false);
  });

  it('takes a star in the middle of an identity literally', () => {
    expect(speaksFor(['did:*:ana'], 'did:north:ana')).toBe(false);
    expect(speaksFor(['did:*:ana'], 'did:*:ana')).toBe(true);
  });

  it('that is trusted for everybody speaks for everybody', () => {
    expect(speaksFor(['*'], 'did:south:bea')).toBe(true);
  });

  it('speaks for each of several identities, and for nobody without one', () => {
    const both = ['did:north:ana', 'did:south:*'];
    expect(['did:north:ana', 'did:south:bea', 'did:north:bob'].map((did) => speaksFor(both, did))).toEqual([
      true,
      true,
      false,
    ]);
    expect(speaksFor([], 'did:north:ana')).toBe(false);
  });

  it('speaks for nobody once it is distrusted, and never on behalf of another peer', () => {
    const peers = peersWith('*');
    peers.trust({ id: 'west', key, identities: [] });
    expect(peers.speaksFor('west', 'did:north:ana')).toBe(false);
    expect(peers.speaksFor('east', 'did:north:ana')).toBe(false);
    peers.distrust('north');
    expect([peers.speaksFor('north', 'did:north:ana'), peers.has('north'), peers.keyOf('north')]).toEqual([
      false,
      false,
      undefined,
    ]);
  });

  it('keeps its identities when the caller changes the list', () => {
    const identities = ['did:north:ana'];
    const peers = new TrustedPeers([{ id: 'north', key, identities }]);
    identities.push('*');
    expect(peers.speaksFor('north', 'did:south:bea')).toBe(false);
    expect(peers.list()).toEqual([{ id: 'north', identities: ['did:north:ana'] }]);
  });
});
