/** A policy that several nodes send to: one of them carries out the sends of all, and nothing is lost or done twice when that fails. */
import { channels, createEngine, type BlockworkError, type Caller, type PolicyEngine } from '@blockwork/core';
import { defineBlock } from '@blockwork/core/block';
import { block, MemoryCluster, SequentialIds, SimulatedClock, SimulatedTimers } from '@blockwork/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import type { Change, JsonObject } from '@blockwork/core/adapter';
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
  /** From now on it is as if it did nothing of its own accord, until the returned function is called. */
  stop(): () => void;
}

const receipt = (at: number): Change => ({
  ...{ op: 'put', kind: 'send-receipt', partition: 'p' },
  value: { id: `old-${String(at)}`, request: '', tag: 'counter', expires: Number.MAX_SAFE_INTEGER, revision: 0 },
});

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
      async external(ctx, { document }) {
        if (node.isHolding) await new Promise<void>((resolve) => node.held.push(resolve));
        if (document['isRefused'] === true) ctx.fail('INPUT_INVALID', { facts: { reason: 'it was told to' } });
        const { sends } = (await ctx.state.get(count)) ?? { sends: 0 };
        await ctx.state.set({ sends: sends + 1 });
      },
    });
    let made = 0;
    const ids = new SequentialIds();
    ids.uuid = () => `${name}-${String((made += 1))}`;
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
      go() {
        node.isHolding = false;
        for (const resolve of node.held.splice(0)) resolve();
      },
      stop() {
        const { coordination } = store;
        const renew = coordination.renew.bind(coordination);
        coordination.renew = () => Promise.reject(new Error('it stands still'));
        node.isHolding = true;
        return () => {
          coordination.renew = renew;
          node.go();
        };
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
  /** Data from outside, in the name of the policy's owner. */
  const submit = (node: Node, document: JsonObject = {}, idempotencyKey?: string) =>
    node.engine.submitExternal(
      alice,
      { owner: alice.did, document },
      { policyId: 'p', tag: 'counter', idempotencyKey },
    );
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
  const total = async (): Promise<number> => (await until(send(nodes[1] ?? first))).sends - 1;
  /** The one that carries out what the others are sent, and those. */
  const divided = async (): Promise<{ owner: Node; other: Node; others: Node[] }> => {
    await contend();
    for (const node of nodes) await until(send(node));
    const owner = nodes.find(({ units }) => units > 0);
    const others = nodes.filter((node) => node !== owner);
    const [other] = others;
    if (owner === undefined || other === undefined) throw new Error('one of them carries out what the others are sent');
    forget();
    return { owner, other, others };
  };
  return { nodes, send, submit, contend, divided, until, pass, total, interfere, cluster };
}

describe('sends of several nodes to one policy', () => {
  it('are carried out by one of the nodes, each at the first attempt', async () => {
    const { nodes, send, contend, until } = await world();
    await contend();
    const answers = await until(Promise.all(nodes.flatMap((node) => [send(node), send(node), send(node)])));
    const sends = answers.map((answer) => answer.sends).sort((a, b) => a - b);
    expect(sends).toEqual(Array.from(sends, (_, at) => (sends[0] ?? 0) + at));
    expect(nodes.map(({ units }) => units).sort()).toEqual([0, 0, 9]);
    expect(nodes.map(({ attempts }) => attempts).sort()).toEqual([0, 0, 9]);
  });

  it('take data from outside with them, in one order, each at the first attempt', async () => {
    const { nodes, send, submit, divided, until, total } = await world();
    await divided();
    const before = await total();
    await until(Promise.all(nodes.flatMap((node) => [send(node), submit(node), submit(node)])));
    expect(nodes.map(({ units }) => units).sort()).toEqual([0, 0, 10]);
    expect(nodes.map(({ attempts }) => attempts).sort()).toEqual([0, 0, 10]);
    expect(await total()).toBe(before + 10);
  });

  it('take data from outside once under its key, with the errors that it would get where it arrived', async () => {
    const { submit, divided, until, total } = await world();
    const { owner, other, others } = await divided();
    const before = await total();
    const refused = until(submit(other, { isRefused: true }));
    await expect(refused).rejects.toMatchObject({ code: 'INPUT_INVALID', message: 'it was told to' });
    await until(submit(other, { id: 'urn:1' }, 'k'));
    await until(submit(others[1] ?? other, { id: 'urn:1' }, 'k'));
    const another = until(submit(others[1] ?? other, { id: 'urn:2' }, 'k'));
    await expect(another).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_USED' });
    expect([other.units, others[1]?.units, owner.units > 0]).toEqual([0, 0, true]);
    expect(await total()).toBe(before + 2);
  });

  it('take data from outside once when the node that has it dies before its commit', async () => {
    const { submit, divided, until, pass, total } = await world();
    const { owner, other } = await divided();
    const before = await total();
    owner.isHolding = true;
    const sent = submit(other);
    await pass(200);
    expect(owner.held).toHaveLength(1);
    owner.kill();
    await until(sent);
    expect(await total()).toBe(before + 2);
  });

  it('are carried out where they arrive once only one node sends', async () => {
    const { send, divided, until, pass } = await world();
    const { owner, other } = await divided();
    await until(send(other));
    expect([owner.units, other.units]).toEqual([1, 0]);
    for (let n = 0; n < 12; n += 1) {
      await pass(1_000);
      await until(send(other));
    }
    expect(other.units).toBeGreaterThan(0);
    const [before] = [owner.units];
    await until(send(other));
    expect(owner.units).toBe(before);
  });

  it('get the errors that they would get where they arrived', async () => {
    const { send, divided, until } = await world();
    const { owner, other } = await divided();
    const failureOf = async (node: Node): Promise<object> =>
      until(
        send(node, { isRefused: true }).then(
          () => ({}),
          (error: unknown) => {
            const { name, code, message, status, facts, details, retryable } = error as BlockworkError;
            return { name, code, message, status, facts, details, retryable };
          },
        ),
      );
    const expected = await failureOf(owner);
    expect(expected).toMatchObject({ code: 'INPUT_INVALID', status: 422 });
    expect(await failureOf(other)).toEqual(expected);
    expect(await until(send(other, { isRefused: 1 }).catch((error: unknown) => error))).toMatchObject({
      code: 'INPUT_INVALID',
      details: [{ path: '/isRefused' }],
    });
  });

  it('keep the key that the sender gave them', async () => {
    const { send, divided, until, total } = await world();
    const { other, others } = await divided();
    const before = await total();
    const first = await until(send(other, {}, 'k'));
    expect(await until(send(others[1] ?? other, {}, 'k'))).toEqual(first);
    expect(await total()).toBe(before + 2);
  });

  it('are not looked for under a key that is certainly new, while that of a sender is', async () => {
    const { send, divided, until, cluster } = await world();
    // More than a node keeps of them.
    await cluster.store.commit({ expect: {}, changes: Array.from({ length: 1_001 }, (_, at) => receipt(at)) });
    const { owner, other } = await divided();
    const asked = vi.spyOn(cluster.store, 'get');
    const receipts = (): number => asked.mock.calls.filter(([kind]) => kind === 'send-receipt').length;
    await until(send(other));
    const before = receipts();
    for (let n = 0; n < 3; n += 1) await until(send(other));
    expect(receipts()).toBe(before);
    await until(send(other, {}, 'k'));
    expect(receipts()).toBe(before + 1);
    expect([owner.units, other.units]).toEqual([5, 0]);
  });

  it('leave up to 256 KiB of text, and are carried out where they arrive if they are larger', async () => {
    const { send, divided, until } = await world();
    const { owner, other } = await divided();
    const around = JSON.stringify({ text: '' }).length + 1_000;
    await until(send(other, { text: 'x'.repeat(256 * 1024 - around) }));
    expect([owner.units, other.units]).toEqual([1, 0]);
    await until(send(other, { text: 'x'.repeat(256 * 1024) }));
    expect([owner.units, other.units]).toEqual([1, 1]);
  });

  it('are carried out once when the node that has them dies before its commit', async () => {
    const { send, divided, until, pass, total } = await world();
    const { owner, others } = await divided();
    const before = await total();
    owner.isHolding = true;
    const sent = Promise.all(others.map((node) => send(node)));
    await pass(200);
    expect(owner.held.length).toBeGreaterThan(0);
    owner.kill();
    const answers = await until(sent);
    expect(answers.map(({ sends }) => sends).sort()).toEqual([before + 2, before + 3]);
  });

  it('are carried out once when the node that has them dies after its commit', async () => {
    const { send, divided, until, pass, total, cluster } = await world();
    const { owner, other } = await divided();
    const before = await total();
    const commit = cluster.store.commit.bind(cluster.store);
    // Whatever the node says from now on is lost, its answer included.
    cluster.store.commit = async (changeSet) => {
      await commit(changeSet);
      cluster.store.commit = commit;
      owner.kill();
    };
    const sent = send(other);
    await pass(200);
    expect(await until(sent)).toEqual({ sends: before + 2 });
    expect(await until(send(other))).toEqual({ sends: before + 3 });
  });

  it('are carried out once when the node that has them stands still, and goes on when others have taken over', async () => {
    const { send, divided, until, pass, total } = await world();
    const { owner, others } = await divided();
    const before = await total();
    const goOn = owner.stop();
    const sent = Promise.all(others.map((node) => send(node)));
    await pass(200);
    expect(owner.held).toHaveLength(1);
    const answers = await until(sent);
    goOn();
    await pass(1_000);
    expect(answers.map(({ sends }) => sends).sort()).toEqual([before + 2, before + 3]);
    expect(await total()).toBe(before + 3);
  });

  it('leave for the node that carries them out when they would have to wait for a turn', async () => {
    const { send, divided, until, pass, total, interfere } = await world();
    const { owner, other, others } = await divided();
    const before = await total();
    // They forget that the policy is contended.
    await pass(6_000);
    const units: object[] = [];
    const stop = channels.send.subscribe({
      end: ({ outcome, attempts, changes }) => void units.push({ outcome, attempts, changes }),
    });
    onTestFinished(stop);
    other.isHolding = true;
    const sent = [send(other), send(other), send(other)];
    while (other.held.length === 0) await pass(50);
    expect(owner.held).toEqual([]);
    await interfere();
    other.go();
    const answers = await until(Promise.all(sent));
    const order = answers.map(({ sends }) => sends).sort((a, b) => a - b);
    expect(order).toEqual([before + 2, before + 3, before + 4]);
    expect([owner.units, other.units, others[1]?.units]).toEqual([1 + 3, 0, 0]);
    // Those that had begun here end here without a change.
    const left = [1, 0, 0].map((attempts) => ({ outcome: 'done', attempts, changes: 0 }));
    expect(units.slice(0, 3)).toEqual(left);
    expect(units).toHaveLength(6);
  });

  it('are carried out by the others when the node that did so is told to stop', async () => {
    const { send, divided, until, pass } = await world();
    const { owner, others } = await divided();
    owner.isHolding = true;
    const sent = others.map((node) => send(node));
    await pass(200);
    const closed = owner.engine.close();
    const later = others.map((node) => send(node));
    owner.go();
    const answers = await until(Promise.all([...sent, ...later]));
    await until(closed);
    const sends = answers.map((answer) => answer.sends).sort((a, b) => a - b);
    expect(sends).toEqual(Array.from(sends, (_, at) => (sends[0] ?? 0) + at));
  });
});
