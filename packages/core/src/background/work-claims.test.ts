import { silentLogger } from '../defaults/silent-logger.js';
import { SimulatedClock } from '@blockwork/testing';
import { describe, expect, it, vi } from 'vitest';
import { LEASE_MS, SimulatedCluster } from '../../test/cluster-nodes.js';
import { WorkClaims } from './work-claims.js';

const backoff = { firstMs: 1000, longestMs: 8000 };

/** Two nodes of one cluster, each with its own clock: that of `b` is an hour slow. */
function world() {
  const cluster = new SimulatedCluster();
  const join = (id: string, slow = 0) => {
    const { store, leases, clock, logger } = cluster.join(id, slow);
    const claims = new WorkClaims({ work: 'test', backoff, clock, logger, leases });
    return { connection: store, node: leases, claims, own: clock };
  };
  const nodes = () => cluster.memory.connect().coordination.nodes();
  const pass = (ms: number) => cluster.pass(ms);
  return { clock: cluster.clock, nodes, pass, a: join('a'), b: join('b', 3_600_000) };
}

describe('claims on work in a store that others share', () => {
  it('leave to another node what that one does, until it is done', async () => {
    const { a, b } = world();
    expect([...(await a.claims.claim(['x', 'y', 'x']))]).toEqual(['x', 'y']);
    expect([...(await b.claims.claim(['x', 'z']))]).toEqual(['z']);
    await a.claims.release(['x']);
    expect([...(await b.claims.claim(['x', 'y']))]).toEqual(['x']);
  });

  it('take over from a node that died, once its registration has ended', async () => {
    const { a, b, nodes, pass } = world();
    a.node.start();
    b.node.start();
    await a.claims.claim(['x']);
    await pass(2 * LEASE_MS);
    expect((await nodes()).map(({ id, leases }) => [id, leases])).toEqual([
      ['a', 1],
      ['b', 0],
    ]);
    expect((await b.claims.claim(['x'])).size).toBe(0);
    a.connection.kill();
    await pass(LEASE_MS);
    expect([...(await b.claims.claim(['x']))]).toEqual(['x']);
    expect((await nodes()).map(({ id }) => id)).toEqual(['b']);
  });

  it('are given back when a node stops', async () => {
    const { a, b, nodes } = world();
    a.node.start();
    await a.claims.claim(['x']);
    await a.node.stop();
    expect([...(await b.claims.claim(['x']))]).toEqual(['x']);
    expect((await nodes()).map(({ id }) => id)).toEqual(['b']);
  });

  it('hold the pause after a failure for every node, and count failures across them until one succeeds', async () => {
    const { a, b, pass } = world();
    await a.claims.claim(['x']);
    expect((await a.claims.postpone('x', new Error('no'))).failures).toBe(1);
    expect((await b.claims.claim(['x'])).size).toBe(0);
    expect([b.claims.isWaiting('x'), b.claims.nextDue()]).toEqual([true, b.own.now() + 1000]);
    await pass(1000);
    expect([...(await b.claims.claim(['x']))]).toEqual(['x']);
    expect(b.claims.isWaiting('x')).toBe(false);
    expect(b.claims.failures()).toMatchObject([
      { id: 'x', state: { failures: 1 }, reason: 'it failed in another process' },
    ]);
    const { failures, due } = await b.claims.postpone('x', new Error('no'));
    expect([failures, due - b.own.now()]).toEqual([2, 2000]);
    await pass(1500);
    expect((await a.claims.claim(['x'])).size).toBe(0);
    expect([...(await a.claims.claim(['x'], true))]).toEqual([]);
    a.claims.endPauses();
    expect([...(await a.claims.claim(['x'], true))]).toEqual(['x']);
    await a.claims.release(['x']);
    expect((await b.claims.claim(['x'])).size).toBe(0);
    await pass(500);
    await b.claims.claim(['x']);
    expect((await b.claims.postpone('x', new Error('no'))).failures).toBe(1);
  });

  it('use the clock of the store, whatever that of the node says', async () => {
    const { b, clock } = world();
    b.node.start();
    await b.node.idle();
    expect(b.own.now()).toBe(clock.now());
  });

  it('are given back without asking the store if there are none', async () => {
    const { a } = world();
    const release = vi.spyOn(a.connection.coordination, 'release');
    await a.claims.release([]);
    expect(release).not.toHaveBeenCalled();
  });

  it('go on when they could not be given back: the node may take them again', async () => {
    const { a } = world();
    await a.claims.claim(['x']);
    const { coordination } = a.connection;
    coordination.release = () => Promise.reject(new Error('the database is away'));
    await a.claims.release(['x']);
    expect([...(await a.claims.claim(['x']))]).toEqual(['x']);
  });
});

describe('claims on work in a process that is alone', () => {
  it('are refused only while a pause has not passed', async () => {
    const clock = new SimulatedClock();
    const claims = new WorkClaims({ work: 'test', backoff, clock, logger: silentLogger, leases: null });
    expect([...(await claims.claim(['x', 'y']))]).toEqual(['x', 'y']);
    await claims.postpone('x', new Error('no'));
    expect([...(await claims.claim(['x', 'y']))]).toEqual(['y']);
    clock.advance(1000);
    expect([...(await claims.claim(['x']))]).toEqual(['x']);
  });
});
