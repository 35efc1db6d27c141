/** Two instances that know each other, `north` and `south`, and what they ask. */
import { createEngine, MemoryLink, MemoryLinkHub, MemoryStore, newInstanceKey } from '@blockwork/core';
import type { Caller, EngineOptions, Inspection, PolicyEngine } from '@blockwork/core';
import { defineBlock } from '@blockwork/core/block';
import { block, SimulatedClock, SimulatedTimers } from '@blockwork/testing';
import { vi } from 'vitest';
import { z } from 'zod';
import { quiet, WatchedLink } from './watched-link.js';

export const keys = { north: newInstanceKey(), south: newInstanceKey(), west: newInstanceKey() };
export type Name = keyof typeof keys;

export const owner: Record<Name, Caller> = {
  north: { did: 'did:north:owner', role: 'STANDARD_REGISTRY' },
  south: { did: 'did:south:owner', role: 'STANDARD_REGISTRY' },
  west: { did: 'did:west:owner', role: 'STANDARD_REGISTRY' },
};
export const ana: Caller = { did: 'did:north:ana', username: 'ana', role: 'USER' };

/** Counts what it takes, as documents; it breaks or refuses when told to. */
const ballot = defineBlock({
  type: 'ballot',
  title: 'Ballot',
  description: '',
  kind: 'interface',
  input: z.object({ vote: z.string() }),
  async receive(ctx, { vote }) {
    if (vote === 'broken') throw new TypeError('this block has a bug');
    if (vote === 'announced') {
      const { did: issuer } = ctx.user;
      const document = await ctx.credentials.issue({ issuer, subject: { vote } });
      await ctx.streams.announce({
        stream: 'news',
        documentType: 'vc',
        document: { owner: issuer, document, messageId: '1.000000001' },
      });
    }
    await ctx.documents.add({ owner: ctx.user.did, type: 'vote', document: { vote } });
    return vote === 'long' ? 'x'.repeat(10_000) : { counted: vote };
  },
});

/** Takes answers, as documents; those about refusals it cannot. */
const notebook = defineBlock({
  type: 'notebook',
  title: 'Notebook',
  description: '',
  kind: 'interface',
  input: z.record(z.string(), z.json()),
  async receive(ctx, answer) {
    await ctx.documents.add({ owner: ctx.user.did, type: 'answer', document: answer });
    if (answer['status'] === 'REJECTED') throw new TypeError('this block has a bug, too');
  },
});

export const policy = {
  id: 'votes',
  name: 'Votes',
  config: block('interfaceContainerBlock', 'root', {
    children: [block('ballot', 'ballot'), block('notebook', 'notebook')],
  }),
};

export interface Side {
  readonly name: Name;
  readonly store: MemoryStore;
  readonly inspected: Inspection[];
  engine: PolicyEngine;
  /** One more engine on the same store, as in another process. */
  another(): PolicyEngine;
  /** The engine is closed, and another made on the same store. */
  restart(options?: Partial<EngineOptions>): Promise<void>;
}

export interface World {
  readonly clock: SimulatedClock;
  readonly timers: SimulatedTimers;
  readonly hub: MemoryLinkHub;
  readonly north: Side;
  readonly south: Side;
  /** One more connection to the hub. */
  connect(): WatchedLink;
  /** Resolves when everything published is received, and the engines have acted on it. */
  quiet(): Promise<void>;
  /** Lets `ms` of simulated time pass. */
  pass(ms: number): void;
  close(): Promise<void>;
}

export type SideOptions = Partial<Record<'north' | 'south', Partial<EngineOptions>>>;

/** `south` hosts the policy `votes`; what is in memory stays when an engine is started again. */
export async function openWorld(options: SideOptions = {}): Promise<World> {
  const clock = new SimulatedClock();
  const timers = new SimulatedTimers(clock);
  const hub = new MemoryLinkHub({ clock });
  const links: WatchedLink[] = [];
  const connect = (): WatchedLink => {
    const link = new WatchedLink(new MemoryLink({ hub, timers }), hub);
    links.push(link);
    return link;
  };
  const sideOf = (name: 'north' | 'south'): Side => {
    const store = new MemoryStore();
    const inspected: Inspection[] = [];
    const make = (more: Partial<EngineOptions> = {}): PolicyEngine =>
      createEngine({
        store: keptOpen(store),
        link: more.link ?? options[name]?.link ?? connect(),
        clock,
        timers,
        blocks: [ballot, notebook],
        inspector: (inspection) => void inspected.push(inspection),
        instance: { id: name, key: keys[name].privateKey },
        peers: (['north', 'south'] as const)
          .filter((peer) => peer !== name)
          .map((peer) => ({ id: peer, key: keys[peer].publicKey, identities: [`did:${peer}:*`] })),
        ...options[name],
        ...more,
      });
    const side: Side = {
      name,
      store,
      inspected,
      engine: make(),
      another: () => make(),
      restart: async (more) => {
        await side.engine.close();
        side.engine = make(more);
      },
    };
    return side;
  };
  const [north, south] = [sideOf('north'), sideOf('south')];
  await south.engine.importPolicy(owner.south, policy);
  await south.engine.lifecycle.publish(owner.south, policy.id, '1.0.0');
  return {
    clock,
    timers,
    hub,
    north,
    south,
    connect,
    quiet: () => quiet([north.engine, south.engine], links),
    pass: (ms) => timers.advance(ms),
    close: async () => {
      await north.engine.close();
      await south.engine.close();
    },
  };
}

/** A store that survives its engine. */
export const keptOpen = (store: MemoryStore): MemoryStore =>
  new Proxy(store, {
    get: (target, name) => {
      if (name === 'close') return () => Promise.resolve();
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });

/** Signing happens in another thread, so the test looks again until it is so. */
export const soon = <T>(look: () => T | Promise<T>): Promise<T> => vi.waitFor(look, { timeout: 60_000, interval: 2 });

export const voteFor = (vote: string) =>
  ({
    to: 'south',
    policyId: policy.id,
    action: { type: 'send-data', tag: 'ballot', user: { did: ana.did }, data: { vote } },
  }) as const;
