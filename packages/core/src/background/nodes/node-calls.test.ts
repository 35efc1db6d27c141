import { BlockworkError } from '../../errors.js';
import { silentLogger } from '../../defaults/silent-logger.js';
import { SequentialIds } from '@blockwork/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { turn } from '../../../test/background.js';
import { LEASE_MS, SimulatedCluster, type ClusterNode } from '../../../test/cluster-nodes.js';
import type { Letter } from '../../ports/index.js';
import type { Json } from '../../records/index.js';
import { NodeCalls } from './node-calls.js';

/** Answers of a node that are held back until a test gives them. */
class Answers {
  readonly asked: Json[] = [];
  readonly #waiting: (() => void)[] = [];
  isHolding = false;

  async to(question: Json, from: string): Promise<string> {
    this.asked.push(question);
    if (this.isHolding) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return JSON.stringify({ question, from });
  }

  give(): void {
    this.isHolding = false;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

/** Nodes `a` and `b`, which know of each other. */
async function world() {
  const cluster = new SimulatedCluster();
  const ids = new SequentialIds();
  const join = (name: string) => {
    const node: ClusterNode = cluster.join(name);
    const letters = node.store.coordination.letters;
    if (letters === undefined) throw new Error('a cluster in memory has letters');
    const { clock, timers, leases } = node;
    let call: (texts: readonly string[]) => void = () => undefined;
    const subscribe = letters.subscribe.bind(letters);
    letters.subscribe = (nodeId, listener) => {
      call = listener;
      return subscribe(nodeId, listener);
    };
    const calls = new NodeCalls({ letters, node: leases, clock, timers, ids, logger: silentLogger });
    const answers = new Answers();
    calls.answerWith((question, from) => answers.to(question, from));
    node.leases.start();
    return { ...node, letters, calls, answers, call: (texts: readonly string[]) => call(texts) };
  };
  const [a, b] = [join('a'), join('b')];
  a.calls.start();
  b.calls.start();
  await cluster.pass(LEASE_MS);
  onTestFinished(async () => {
    a.answers.give();
    b.answers.give();
    await cluster.pass(20_000);
  });
  /** What a call of `a` has come to; `waits` for one that has not ended. */
  const ask = (question: Json = 'q') => {
    const call: { outcome: Json | undefined } = { outcome: 'waits' };
    void a.calls.ask('b', JSON.stringify(question)).then((answer) => (call.outcome = answer));
    return call;
  };
  const settle = async (): Promise<void> => {
    for (let n = 0; n < 10; n += 1) await turn();
  };
  return { cluster, a, b, ask, settle };
}

describe('a call from node to node', () => {
  it('is answered, and each question is asked once', async () => {
    const { b, ask, settle } = await world();
    const calls = [ask({ n: 1 }), ask('\ud800\0"')];
    await settle();
    expect(calls.map(({ outcome }) => outcome)).toEqual([
      { question: { n: 1 }, from: 'a' },
      { question: '\ud800\0"', from: 'a' },
    ]);
    expect(b.answers.asked).toHaveLength(2);
  });

  it('is answered by a reply that comes with the call to its node', async () => {
    const { a, b, ask, settle } = await world();
    const replies: Letter[] = [];
    b.letters.send = async (letters) => void replies.push(...letters);
    const asked = ask();
    await settle();
    expect(asked.outcome).toBe('waits');
    expect(replies.map(({ to, isReply, from }) => ({ to, isReply, from }))).toEqual([{ to: 'a', isReply: true }]);
    a.call(replies.map(({ text }) => text));
    await settle();
    expect(asked.outcome).toEqual({ question: 'q', from: 'a' });
  });

  it('says whom a reply is for, and that a letter with a question is none', async () => {
    const { a, ask, settle } = await world();
    const sent: Letter[] = [];
    const send = a.letters.send.bind(a.letters);
    a.letters.send = (letters) => {
      sent.push(...letters);
      return send(letters);
    };
    ask();
    await settle();
    expect(sent.map(({ from, isReply }) => ({ from, isReply }))).toEqual([{ from: 'a', isReply: false }]);
  });

  it('goes in one letter with those that are asked while another letter is on its way', async () => {
    const { a, ask, settle } = await world();
    const sizes: number[] = [];
    const send = a.letters.send.bind(a.letters);
    a.letters.send = (letters) => {
      sizes.push(...letters.map(({ text }) => (JSON.parse(text) as unknown[]).length));
      return send(letters);
    };
    ask(1);
    await Promise.resolve();
    for (const n of [2, 3, 4]) ask(n);
    await settle();
    expect(sizes).toEqual([1, 3]);
  });

  describe('to a node that is asked much', () => {
    /** Whether each letter is one that its node is not told of. */
    const asked = async () => {
      const { a, b, ask, settle, cluster } = await world();
      const untold: boolean[] = [];
      const send = a.letters.send.bind(a.letters);
      a.letters.send = (letters) => {
        untold.push(...letters.map(({ isAwaited }) => isAwaited === true));
        return send(letters);
      };
      for (let n = 0; n < 32; n += 1) ask(n);
      await settle();
      untold.length = 0;
      return { a, b, ask, settle, cluster, untold };
    };

    it('is found by that node without being told of, for as long as it looks by itself', async () => {
      const { cluster, b, ask, settle, untold } = await asked();
      const call = ask();
      await settle();
      expect([untold, call.outcome]).toEqual([[true], 'waits']);
      cluster.timers.advance(5);
      await settle();
      expect(call.outcome).toEqual({ question: 'q', from: 'a' });
      // It was asked little since, and has stopped looking.
      await cluster.pass(1_000);
      let looks = 0;
      const take = b.letters.take.bind(b.letters);
      b.letters.take = (nodeId) => {
        looks += 1;
        return take(nodeId);
      };
      await cluster.pass(10_000);
      expect(looks).toBe(0);
      const later = ask();
      await settle();
      expect([untold, later.outcome]).toEqual([[true, false], { question: 'q', from: 'a' }]);
    });

    it('is told of where the answer that promised to look came late', async () => {
      const { a, ask, settle, cluster, untold } = await asked();
      const take = a.letters.take.bind(a.letters);
      a.letters.take = () => Promise.resolve([]);
      const late = ask('late');
      await settle();
      cluster.timers.advance(5);
      await settle();
      a.letters.take = take;
      // The node looked for some of this time, and then no more.
      cluster.timers.advance(1_000);
      await settle();
      expect(late.outcome).toEqual({ question: 'late', from: 'a' });
      const call = ask();
      await settle();
      expect([untold, call.outcome]).toEqual([[true, false], { question: 'q', from: 'a' }]);
    });

    it('is told of where the letter was so long on its way that the node has stopped to look', async () => {
      const { a, ask, settle, cluster } = await asked();
      const send = a.letters.send.bind(a.letters);
      const arrivals: (() => void)[] = [];
      a.letters.send = async (letters) => {
        await new Promise<void>((resolve) => arrivals.push(resolve));
        return send(letters);
      };
      const call = ask();
      for (let ms = 0; ms < 900; ms += 5) {
        await settle();
        cluster.timers.advance(5);
      }
      a.letters.send = send;
      for (const arrive of arrivals) arrive();
      await settle();
      expect(call.outcome).toEqual({ question: 'q', from: 'a' });
    });

    it('is looked for once more after the time in which the node looks, however long a look takes', async () => {
      const { b, ask, settle, cluster } = await asked();
      const take = b.letters.take.bind(b.letters);
      const looks: (() => void)[] = [];
      b.letters.take = async (nodeId) => {
        const found = await take(nodeId);
        await new Promise<void>((resolve) => looks.push(resolve));
        return found;
      };
      cluster.timers.advance(5);
      await settle();
      // Sent after the look has seen that there is nothing, and before others stop to count on the node.
      const call = ask();
      await settle();
      b.letters.take = take;
      cluster.timers.advance(900);
      for (const look of looks) look();
      await settle();
      cluster.timers.advance(5);
      await settle();
      expect(call.outcome).toEqual({ question: 'q', from: 'a' });
    });

    it('is looked for no more by a node that has stopped', async () => {
      const { b, cluster } = await asked();
      await b.calls.stop();
      let looks = 0;
      b.letters.take = () => {
        looks += 1;
        return Promise.resolve([]);
      };
      await cluster.pass(1_000);
      expect(looks).toBe(0);
    });

    it('is taken back where the node stands still meanwhile', async () => {
      const { cluster, b, ask, settle, untold } = await asked();
      b.letters.take = () => Promise.reject(new Error('it stands still'));
      const call = ask();
      await settle();
      expect(untold).toEqual([true]);
      await cluster.pass(1_500);
      expect(call.outcome).toBeUndefined();
      expect(await cluster.memory.connect().coordination.letters?.take('b')).toEqual([]);
    });
  });

  it('has no answer where the node does not look for letters, which are taken back', async () => {
    const { cluster, b, ask } = await world();
    await b.calls.stop();
    b.letters.take = () => Promise.reject(new Error('it stands still'));
    const call = ask();
    await cluster.pass(1_500);
    expect(call.outcome).toBeUndefined();
    expect(await cluster.memory.connect().coordination.letters?.take('b')).toEqual([]);
  });

  it('has no answer at once where its letter cannot be sent, though it may have arrived', async () => {
    const { a, b, ask, settle } = await world();
    b.answers.isHolding = true;
    const send = a.letters.send.bind(a.letters);
    const others = ask('before');
    await settle();
    a.letters.send = async (letters) => {
      await send(letters);
      throw new BlockworkError('STORE_UNAVAILABLE', { facts: { reason: 'of the test' } });
    };
    const asked = ask();
    await settle();
    expect([others.outcome, asked.outcome]).toEqual(['waits', undefined]);
    b.answers.give();
    await settle();
    expect(b.answers.asked).toEqual(['before', 'q']);
    expect(others.outcome).toEqual({ question: 'before', from: 'a' });
  });

  it('is left longer to a node that has been slow lately, and no longer than most of a lease', async () => {
    const { cluster, b, ask } = await world();
    const take = b.letters.take.bind(b.letters);
    /** Letters are taken, but for those of the first `ms`. */
    const slowBy = async (ms: number) => {
      b.letters.take = () => Promise.reject(new Error('it is slow'));
      const call = ask();
      await cluster.pass(ms);
      const { outcome } = call;
      b.letters.take = take;
      return { call, outcome };
    };
    // Nothing is known yet.
    expect((await slowBy(1_500)).outcome).toBeUndefined();
    // Once it has taken so long that it was not waited for, it is given more time, again and again.
    const patient = await slowBy(3_500);
    expect(patient.outcome).toBe('waits');
    // The ring is long over; the next letter rings again.
    const next = ask();
    await cluster.pass(500);
    expect([patient.call.outcome, next.outcome]).toEqual(Array(2).fill({ question: 'q', from: 'a' }));
    expect((await slowBy(LEASE_MS - 500)).outcome).toBeUndefined();
    // Answers that come at once make it short again.
    for (let n = 0; n < 16; n += 1) ask();
    await cluster.pass(500);
    expect((await slowBy(2_500)).outcome).toBeUndefined();
  });

  it('is waited for as long as the other node says that it works on it', async () => {
    const { cluster, b, ask } = await world();
    b.answers.isHolding = true;
    const call = ask();
    await cluster.pass(60_000);
    expect(call.outcome).toBe('waits');
    b.answers.give();
    await cluster.pass(1_000);
    expect(call.outcome).toEqual({ question: 'q', from: 'a' });
    expect(b.answers.asked).toHaveLength(1);
  });

  it('has no answer once the node that works on it is dead', async () => {
    const { cluster, b, ask } = await world();
    b.answers.isHolding = true;
    const call = ask();
    await cluster.pass(1_000);
    b.store.kill();
    await cluster.pass(2_000);
    expect(call.outcome).toBe('waits');
    await cluster.pass(LEASE_MS);
    expect(call.outcome).toBeUndefined();
  });

  it('has no answer where the answer is lost', async () => {
    const { cluster, b, ask } = await world();
    b.letters.send = () => Promise.reject(new Error('the database is away'));
    const call = ask();
    await cluster.pass(9_000);
    expect(call.outcome).toBe('waits');
    await cluster.pass(3_000);
    expect(call.outcome).toBeUndefined();
  });

  it('gets an answer whose ring was lost', async () => {
    const { cluster, a, ask } = await world();
    await a.calls.stop();
    const call = ask();
    await cluster.pass(2_000);
    expect(call.outcome).toEqual({ question: 'q', from: 'a' });
  });

  it('is declined by a node that stops, which gives the answers that it owes', async () => {
    const { b, ask, settle } = await world();
    b.answers.isHolding = true;
    const first = ask(1);
    await settle();
    const stopped = b.calls.stop();
    const second = ask(2);
    await settle();
    expect([first.outcome, second.outcome]).toEqual(['waits', undefined]);
    b.answers.give();
    await stopped;
    await settle();
    expect(first.outcome).toEqual({ question: 1, from: 'a' });
    expect(b.answers.asked).toEqual([1]);
  });

  it('is asked once where its letter comes twice', async () => {
    const { a, b, ask, settle } = await world();
    const send = a.letters.send.bind(a.letters);
    a.letters.send = async (letters) => {
      await send(letters);
      await settle();
      await send(letters);
    };
    b.answers.isHolding = true;
    const call = ask();
    await settle();
    await settle();
    b.answers.give();
    await settle();
    expect(b.answers.asked).toHaveLength(1);
    expect(call.outcome).toEqual({ question: 'q', from: 'a' });
  });
});
