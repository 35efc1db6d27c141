/** A policy that several nodes send to: they take turns under its lock, and nothing is lost or done twice when a node fails. */
import { createEngine, type Caller, type PolicyEngine } from '@blockwork/core';
import { defineBlock } from '@blockwork/core/block';
import { block, MemoryCluster, SequentialIds, SimulatedClock, SimulatedTimers } from '@blockwork/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { revisionKeys } from '../src/transactions/index.js';
import { turn } from './background.js';

const alice: Caller = { did: 'did:example:alice', role: 'STANDARD_REGISTRY' };
const count = z.object({ sends: z.number() });

const policy = {
  id: 'p',
  name: 'Counter',
  config: block('interfaceContainerBlock', 'root', { children: [block('counter', 'counter')] }),
};

/** A node, with how many units it has committed and what holds up its blocks. */
interface Node {
  readonly engine: PolicyEngine;
  units: number;
  attempts: number;
  isHolding: boolean;
  readonly held: (() => void)[];
  /** Lets go what is held up. */
  go(): void;
  readonly kill: () => void;
  /** The store takes its locks from it. */
  readonly endLocks: () => void;
}

async function world(names: readonly string[] = ['a', 'b', 'c']) {
  const clock = new SimulatedClock();
  const timers = new SimulatedTimers(clock);
  const cluster = new MemoryCluster(clock);
  const open = (name: string): Node => {
    const store = cluster.connect();
    const counter = defineBlock({
      type: 'counter',
      title: 'Counter',
      description: '',
      kind: 'interface',
      input: z.object({ isRefused: z.boolean().default(false), text: z.string().default('') }),
      async receive(ctx, { isRefused }) {
        if (node.isHolding) await new Promise<void>((resolve) => node.held.push(resolve));
        const { sends } = (await ctx.state.get(count)) ?? { sends: 0 };
        if (isRefused) return ctx.fail('INPUT_INVALID', { facts: { reason: 'it was told to' } });
        await ctx.state.set({ sends: sends + 1 });
        return { sends: sends + 1 };
      },
    });
    let created = 0;
    const ids = new SequentialIds();
    ids.uuid = () => `${name}-${String((created += 1))}`;
    const engine = createEngine({
      ...{ store, clock, timers, ids, blocks: [counter] },
      inspector: (inspection) => {
        if (inspection.type !== 'unit.committed') return;
        node.units += 1;
        node.attempts += inspection.attempts;
      },
    });
    const node: Node = {
      ...{ engine, units: 0, attempts: 0, isHolding: false, held: [] },
      kill: () => store.kill(),
      endLocks: () => store.endLocks(),
      go() {
        node.isHolding = false;
        for (const resolve of node.held.splice(0)) resolve();
      },
    };
    return node;
  };
  const nodes = names.map(open);
  /** Lets time pass until it is settled. */
  const until = async <T>(promise: Promise<T>): Promise<T> => {
    const state = { isSettled: false };
    const done = (): void => void (state.isSettled = true);
    promise.then(done, done);
    for (let turns = 0; !state.isSettled && turns < 20_000; turns += 1) {
      await turn();
      if (turns % 5 === 4) timers.advance(10);
    }
    return promise;
  };
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 50) {
      timers.advance(50);
      for (let turns = 0; turns < 3; turns += 1) await turn();
    }
  };
  const [first] = nodes;
  if (first === undefined) throw new Error('there is a node');
  await until(first.engine.importPolicy(alice, policy));
  await until(first.engine.lifecycle.dryRun(alice, 'p'));
  // All know of each other.
  await pass(2_500);
  onTestFinished(async () => {
    for (const node of nodes) node.go();
    await until(Promise.all(nodes.map(({ engine }) => engine.close().catch(() => undefined))));
  });
  const send = (node: Node, data: object = {}, idempotencyKey?: string) =>
    node.engine.sendToBlock<{ sends: number }>(alice, 'p', { tag: 'counter' }, data, { idempotencyKey });
  const forget = (): void => {
    for (const node of nodes) [node.units, node.attempts] = [0, 0];
  };
  /** Another process commits something in the policy. */
  const interfere = async (): Promise<void> => {
    const key = revisionKeys.policy.of('p');
    await cluster.store.commit({ expect: { [key]: await cluster.store.revision(key) }, changes: [] });
  };
  /** Each node finds out that others write to the policy as well. */
  const contend = async (): Promise<void> => {
    for (const node of nodes) {
      node.isHolding = true;
      const sent = send(node);
      while (node.held.length === 0) await pass(50);
      await interfere();
      node.go();
      await until(sent);
    }
    forget();
  };
  const total = async (node: Node = first): Promise<number> => (await until(send(node))).sends - 1;
  /** Lets time pass until a block of the node is held up. */
  const heldUp = async (node: Node): Promise<void> => {
    while (node.held.length === 0) await pass(50);
  };
  return { nodes: nodes as [Node, Node, Node], send, contend, until, pass, total, heldUp, cluster };
}

const inOrder = (answers: readonly { readonly sends: number }[]): number[] =>
  answers.map(({ sends }) => sends).sort((a, b) => a - b);
const from = (first: number, count: number): number[] => Array.from({ length: count }, (_, at) => first + at);

describe('sends of several nodes to one policy', () => {
  it('are carried out one after the other, each at the first attempt', async () => {
    const { nodes, send, contend, until } = await world();
    await contend();
    const answers = await until(Promise.all(nodes.flatMap((node) => [send(node), send(node), send(node)])));
    expect(inOrder(answers)).toEqual(from(inOrder(answers)[0] ?? 0, 9));
    expect(nodes.map(({ units, attempts }) => [units, attempts])).toEqual([3, 3, 3].map((units) => [units, units]));
  });

  it('are carried out by nodes in turn, none of which has to wait for all units of another', async () => {
    const { nodes, send, contend, until } = await world();
    await contend();
    const [busy, other] = nodes;
    const ended: string[] = [];
    const all = from(0, 6).map((n) => send(busy).then(() => ended.push(`busy ${String(n)}`)));
    await until(Promise.all([...all, send(other).then(() => ended.push('other'))]));
    expect(ended.indexOf('other')).toBeLessThan(ended.indexOf('busy 5'));
  });

  it('take no locks until nodes meet, and none again once only one node sends', async () => {
    const { nodes, send, contend, until, cluster } = await world();
    const [first] = nodes;
    const locks = (): number => cluster.locksTaken;
    await until(send(first));
    expect(locks()).toBe(0);
    await contend();
    for (let n = 0; n < 40; n += 1) await until(send(first));
    const before = locks();
    expect(before).toBeGreaterThan(0);
    await until(send(first));
    expect(locks()).toBe(before);
  });

  it('have one effect under one key, whichever nodes they are sent to', async () => {
    const { nodes, send, contend, until, total } = await world();
    await contend();
    const before = await total();
    const answers = await until(Promise.all(nodes.map((node) => send(node, {}, 'k'))));
    expect(new Set(inOrder(answers)).size).toBe(1);
    expect(await total()).toBe(before + 2);
  });

  it('get their errors, while the others are carried out', async () => {
    const { nodes, send, contend, until } = await world();
    const [first, second] = nodes;
    await contend();
    const refused = send(first, { isRefused: true });
    const answers = until(Promise.all([send(first), send(second)]));
    await expect(until(refused)).rejects.toMatchObject({ code: 'INPUT_INVALID', message: 'it was told to' });
    expect(inOrder(await answers)[1]).toBe((inOrder(await answers)[0] ?? 0) + 1);
  });

  it('go on when the node that has the lock dies before its commit', async () => {
    const { nodes, send, contend, until, total, heldUp } = await world();
    const [dead, second, third] = nodes;
    await contend();
    const before = await total(second);
    dead.isHolding = true;
    const lost = send(dead).catch(() => 'lost');
    await heldUp(dead);
    const sent = Promise.all([send(second), send(third)]);
    dead.kill();
    expect(inOrder(await until(sent))).toEqual([before + 2, before + 3]);
    dead.go();
    expect(await until(lost)).toBe('lost');
    expect(await total(second)).toBe(before + 3);
  });

  it('are carried out once when the node that has the lock stands still, loses it, and goes on', async () => {
    const { nodes, send, contend, until, total, heldUp } = await world();
    const [still, second, third] = nodes;
    await contend();
    const before = await total(second);
    still.isHolding = true;
    const late = send(still);
    await heldUp(still);
    still.endLocks();
    expect(inOrder(await until(Promise.all([send(second), send(third)])))).toEqual([before + 2, before + 3]);
    still.go();
    expect(await until(late)).toEqual({ sends: before + 4 });
    expect(await total(second)).toBe(before + 4);
  });

  it('do not wait for a unit of another node that takes long', async () => {
    const { nodes, send, contend, until, total, heldUp } = await world();
    const [slow, second] = nodes;
    await contend();
    const before = await total(second);
    slow.isHolding = true;
    const late = send(slow);
    await heldUp(slow);
    // Time passes, and the slow one gives up its lock.
    expect(await until(send(second))).toEqual({ sends: before + 2 });
    slow.go();
    expect(await until(late)).toEqual({ sends: before + 3 });
  });

  it('are carried out by the others when a node is told to stop', async () => {
    const { nodes, send, contend, until } = await world();
    const [first, second, third] = nodes;
    await contend();
    const sent = nodes.map((node) => send(node));
    const closed = first.engine.close();
    const later = [second, third].map((node) => send(node));
    const answers = inOrder(await until(Promise.all([...sent, ...later])));
    await until(closed);
    expect(answers).toEqual(from(answers[0] ?? 0, 5));
  });
});
