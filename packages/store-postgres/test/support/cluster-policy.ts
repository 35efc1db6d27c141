/**
 * The policy of the cluster tests: each send updates a balance, adds a document and publishes to the ledger, and a
 * timer ticks.
 */
import type { Caller } from '@blockwork/core';
import { defineBlock } from '@blockwork/core/block';
import { block } from '@blockwork/testing';
import { z } from 'zod';

export const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
/** Milliseconds between ticks. */
const TICK_MS = 500;

const total = z.object({ sum: z.number(), sends: z.number() });

const account = defineBlock({
  type: 'testAccount',
  title: 'Account',
  description: '',
  kind: 'interface',
  input: z.object({ n: z.number() }),
  async receive(ctx, { n }) {
    const { sum, sends } = (await ctx.state.get(total)) ?? { sum: 0, sends: 0 };
    const next = { sum: sum + n, sends: sends + 1 };
    await ctx.state.set(next);
    await ctx.documents.add({ owner: ctx.user.did, type: 'payment', document: { n } });
    await ctx.ledger.publish({ topic: 'root', type: 'payment', owner: ctx.user.did, body: { n } });
    return next;
  },
});

const ticker = defineBlock({
  type: 'testTicker',
  title: 'Ticker',
  description: '',
  kind: 'server',
  timetable: () => ({ next: (after) => (Math.floor(after / TICK_MS) + 1) * TICK_MS }),
  on: {
    async TickEvent(ctx) {
      await ctx.documents.add({ owner: ctx.user.did, type: 'tick', document: {} });
    },
  },
});

export const blocks = [account, ticker];

export const policyNamed = (id: string): object => ({
  id,
  name: id,
  policyTag: id,
  config: block('interfaceContainerBlock', 'root', {
    children: [block('testAccount', 'account'), block('testTicker', 'ticker')],
  }),
});
