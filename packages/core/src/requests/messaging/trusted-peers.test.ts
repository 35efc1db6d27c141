import { describe, expect, it, vi } from 'vitest';
import { newInstanceKey } from './instance-identity.js';
import { MemoryStore } from '../../memory/index.js';
import { Executor } from '../../transactions/index.js';
import { KnownPeers } from './known-peers.js';
import { peersFrom, type GivenPeers, TrustedPeers } from './trusted-peers.js';

const key = newInstanceKey().publicKey;
const peersWith = (...identities: string[]): KnownPeers =>
  new KnownPeers(peersFrom([{ id: 'north', key, identities }]));
const executorOf = (store: MemoryStore): Executor =>
  new Executor({ store, commits: { committed: () => undefined }, limits: { conflictRetries: 3 } });
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

  it('speaks for nobody but itself', () => {
    const peers = new KnownPeers(
      peersFrom([
        { id: 'north', key, identities: ['*'] },
        { id: 'west', key, identities: [] },
      ]),
    );
    expect(peers.speaksFor('west', 'did:north:ana')).toBe(false);
    expect(peers.speaksFor('east', 'did:north:ana')).toBe(false);
  });

  it('keeps its identities when the caller changes the list', () => {
    const identities = ['did:north:ana'];
    const peers = new KnownPeers(peersFrom([{ id: 'north', key, identities }]));
    identities.push('*');
    expect(peers.speaksFor('north', 'did:south:bea')).toBe(false);
    expect(peers.list()).toEqual([{ id: 'north', identities: ['did:north:ana'] }]);
  });
});

describe('trust that is given or taken at run time', () => {
  /** Two processes over one store, the first of which is given "north" from outside. */
  function processes() {
    const store = new MemoryStore();
    const open = (givenPeerOptions: GivenPeers): TrustedPeers =>
      new TrustedPeers(givenPeerOptions, { store, executor: executorOf(store) });
    const peerOptions = peersFrom([{ id: 'north', key, identities: ['*'] }]);
    return { first: open(peerOptions), second: open(new Map()), reopen: () => open(peerOptions) };
  }

  it('goes for every process that shares the store, from the next message on', async () => {
    const { first, second } = processes();
    expect((await second.known()).has('west')).toBe(false);
    await first.trust({ id: 'west', key, identities: ['did:west:*'] });
    for (const peers of [first, second]) {
      const peerList = await peers.known();
      expect(peerList.speaksFor('west', 'did:west:bea')).toBe(true);
      expect(peerList.keyOf('west')?.export({ format: 'jwk' })).toMatchObject({ x: key.x });
    }
    await second.distrust('west');
    for (const peers of [first, second]) expect((await peers.known()).keyOf('west')).toBeUndefined();
  });

  it('stands above what was given from outside, also after a restart', async () => {
    const { first, second, reopen } = processes();
    expect(await first.list()).toEqual([{ id: 'north', identities: ['*'] }]);
    await second.distrust('north');
    expect([await first.list(), await reopen().list()]).toEqual([[], []]);
    await second.trust({ id: 'north', key: newInstanceKey().publicKey, identities: ['did:north:ana'] });
    const peerList = await reopen().known();
    expect(peerList.speaksFor('north', 'did:north:bob')).toBe(false);
    expect(peerList.keyOf('north')?.export({ format: 'jwk' })).not.toMatchObject({ x: key.x });
  });

  it('is read once for as long as it does not change', async () => {
    const store = new MemoryStore();
    const find = vi.spyOn(store, 'find');
    const peers = new TrustedPeers(new Map(), { store, executor: executorOf(store) });
    for (let n = 0; n < 5; n += 1) await peers.known();
    expect(find).toHaveBeenCalledTimes(1);
    await peers.trust({ id: 'west', key, identities: [] });
    for (let n = 0; n < 5; n += 1) await peers.known();
    expect(find).toHaveBeenCalledTimes(2);
  });
});
