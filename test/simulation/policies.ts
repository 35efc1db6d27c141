/** The policies of a simulation: small, and made so that every mistake of the machinery around them can be seen. */
import type { Caller, JsonObject } from '@blockwork/core';
import { defineBlock, TICK, type RunContext } from '@blockwork/core/block';
import { block } from '@blockwork/testing';
import { z } from 'zod';
import { ballot, notebook } from '../requests/support/ballot.js';

/** Units that a deposit mints, and that an approved permit does. */
export const DEPOSIT_UNITS = 3n;
export const PERMIT_UNITS = 7n;
/** Milliseconds between two ticks. */
export const TICK_MS = 600_000;

export const CREDITS = 'credits';
export const PERMITS = 'permits';
export const CLOCK = 'clock';
export const policyNames = [CREDITS, PERMITS, CLOCK] as const;

const TOKEN = '0.0.5001';
export const accountOf = (user: number): string => `0.0.${9000 + user}`;

/** How many sends a policy has carried out, and a hash over their keys in order: of two heads, one is a prefix. */
export interface Head {
  readonly count: number;
  readonly hash: number;
}

export const emptyHead: Head = { count: 0, hash: 0x811c9dc5 };

export function nextHead({ count, hash }: Head, key: string): Head {
  let next = hash;
  for (let at = 0; at < key.length; at += 1) next = Math.imul(next ^ key.charCodeAt(at), 0x01000193);
  return { count: count + 1, hash: next >>> 0 };
}

const headShape = z.object({ count: z.number(), hash: z.number() });

/** Appends the key to the policy's history. */
async function append(ctx: RunContext, key: string, type: string, option: JsonObject = {}): Promise<Head> {
  const entry = await ctx.entries.get('head');
  const head = nextHead(entry === undefined ? emptyHead : headShape.parse(entry.value), key);
  await ctx.entries.put({ id: 'head', key: 'head', value: { ...head } });
  await ctx.documents.add({ owner: ctx.user.did, type, document: { key }, option });
  return head;
}

/** Every deposit becomes a document and mints. */
const deposits = defineBlock({
  type: 'deposits',
  title: 'Deposits',
  description: '',
  kind: 'interface',
  pure: true,
  input: z.object({ key: z.string(), account: z.string() }),
  async read(ctx) {
    const entry = await ctx.entries.get('head');
    return entry?.value ?? { ...emptyHead };
  },
  async receive(ctx, { key, account }) {
    const head = await append(ctx, key, 'deposit');
    await ctx.ledger.mint(TOKEN, account, DEPOSIT_UNITS);
    return { ...head };
  },
});

/** Users apply, and somebody else decides, once for each application. */
const permits = defineBlock({
  type: 'permits',
  title: 'Permits',
  description: '',
  kind: 'interface',
  pure: true,
  input: z.object({ apply: z.string().optional(), approve: z.string().optional() }),
  async read(ctx) {
    const entry = await ctx.entries.get('head');
    return entry?.value ?? { ...emptyHead };
  },
  async receive(ctx, { apply, approve }) {
    if (apply !== undefined) return { ...(await append(ctx, apply, 'application', { status: 'Waiting' })) };
    const where = { path: 'document.key', op: 'eq', value: approve ?? '' } as const;
    const [application] = await ctx.documents.find(where);
    if (application?.option['status'] !== 'Waiting') {
      return ctx.fail('INPUT_INVALID', { facts: { reason: 'It is decided.' } });
    }
    await ctx.documents.update({ ...application, option: { status: 'Approved' } });
    await ctx.ledger.mint(TOKEN, accountOf(0), PERMIT_UNITS);
    return {};
  },
});

/** Is run every ten minutes, and leaves a document each time. */
const clock = defineBlock({
  type: 'clock',
  title: 'Clock',
  description: '',
  kind: 'interface',
  timetable: () => ({ next: (after) => (Math.floor(after / TICK_MS) + 1) * TICK_MS }),
  on: {
    [TICK]: async (ctx) => {
      await ctx.documents.add({ owner: ctx.user.did, type: 'tick', document: { at: ctx.clock.now() } });
    },
  },
});

export const simulatedBlocks = [deposits, permits, clock, ballot, notebook];

const tokens = [{ tokenId: TOKEN, tokenName: 'Credit', tokenSymbol: 'CRD', tokenType: 'fungible', decimals: 0 }];

const policyWith = (id: string, ...blocks: readonly string[]) => ({
  id,
  name: id,
  policyTag: id,
  tokens,
  config: block('interfaceContainerBlock', 'root', { children: blocks.map((type) => block(type, type)) }),
});

export const simulatedPolicies = (instance: string) => [
  policyWith(policyIdOf(instance, CREDITS), 'deposits'),
  policyWith(policyIdOf(instance, PERMITS), 'permits'),
  policyWith(policyIdOf(instance, CLOCK), 'clock', 'ballot', 'notebook'),
];

export const policyIdOf = (instance: string, name: string): string => `${name}-${instance}`;

export const ownerOf = (instance: string): Caller => ({
  did: `did:${instance.toLowerCase()}:owner`,
  role: 'STANDARD_REGISTRY',
});
export const userOf = (instance: string, user: number): Caller => ({
  did: `did:${instance.toLowerCase()}:u${user}`,
  role: 'USER',
});
