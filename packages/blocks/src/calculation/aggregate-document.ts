/** `aggregateDocumentBlock`: keeps documents until there are enough, or until it is time (reference engine, section 7.24). */
import {
  valueAt,
  type Block,
  type BlockEntry,
  type BlockEvent,
  type BlockNode,
  type Finding,
  type Json,
  type PolicyUser,
  type RunContext,
} from '@blockwork/core/block';
import { z } from 'zod';
import { documentsIn, type EventDocument } from '../common/event-documents.js';
import { flag, listOf, text } from '../common/option-schemas.js';
import { amount, formula, FormulaError, subjectOfDocument } from '../formulas/index.js';
import { aggregateFindings } from './aggregate-findings.js';

const options = z.object({
  aggregateType: text.pipe(z.enum(['period', 'cumulative', ''])),
  /** Tag of the timer; it is the link from it that counts. */
  timer: text,
  /** Worked out for each document; lists of them are what the condition sees. */
  expressions: listOf(z.object({ name: text, value: text })),
  condition: text,
  groupByFields: listOf(z.object({ fieldPath: text })),
  /** Also release a list of nothing, when it is time. */
  emptyData: flag,
  /** Everybody's documents together, released in the name of the owner of the policy. */
  disableUserGrouping: flag,
});
export type AggregateOptions = z.infer<typeof options>;

type Context = RunContext<AggregateOptions>;

export class AggregateDocument implements Block<AggregateOptions> {
  readonly about = {
    type: 'aggregateDocumentBlock',
    title: 'Aggregate',
    description: 'Keeps documents of each user, and lets them go together when a condition is met or a timer ticks.',
    kind: 'server',
    children: 'none',
    inputs: ['TimerEvent', 'PopEvent'],
    outputs: ['RunEvent', 'RefreshEvent'],
  } as const;
  readonly options = options;

  check(node: BlockNode, written: AggregateOptions, policy: Parameters<typeof aggregateFindings>[2]): Finding[] {
    return aggregateFindings(node, written, policy);
  }

  readonly on = {
    /** Nothing goes on from here but what is released. */
    RunEvent: async (ctx: Context, { data }: BlockEvent): Promise<void> => {
      for (const document of documentsIn(data)) {
        const user = await keeperOf(ctx, document);
        await ctx.entries.put({ id: nameOf(ctx, document), key: user.key, value: document as unknown as Json });
        if (ctx.options.aggregateType === 'cumulative') await releaseIfEnough(ctx, user, document);
      }
    },
    /** Data is the keys of the users whose time it is. */
    TimerEvent: async (ctx: Context, { data }: BlockEvent): Promise<void> => {
      if (ctx.options.aggregateType !== 'period') return;
      const keys = (Array.isArray(data) ? data : []).filter((key) => typeof key === 'string');
      await releasePeriod(ctx, ctx.options.disableUserGrouping ? [ctx.policy.owner] : keys);
    },
    /** Documents that are not to be counted any more. */
    PopEvent: async (ctx: Context, { data }: BlockEvent): Promise<void> => {
      for (const document of documentsIn(data)) await ctx.entries.remove(nameOf(ctx, document));
    },
  };
}

/** A credential waits once, however often it comes. */
const nameOf = (ctx: Context, { hash, document }: EventDocument): string => hash ?? ctx.credentials.hash(document);

function keeperOf(ctx: Context, document: EventDocument): Promise<PolicyUser> {
  return ctx.options.disableUserGrouping ? ctx.users.byKey(ctx.policy.owner) : ctx.users.actor('owner', document);
}

/** Documents with the same are released together. */
const groupOf = (ctx: Context, value: unknown): string =>
  JSON.stringify(ctx.options.groupByFields.map(({ fieldPath }) => valueAt(value, fieldPath) ?? null));

async function releaseIfEnough(ctx: Context, user: PolicyUser, document: EventDocument): Promise<void> {
  const group = groupOf(ctx, document);
  const waiting = (await ctx.entries.find(user.key)).filter(({ value }) => groupOf(ctx, value) === group);
  if (isEnough(ctx, waiting)) await release(ctx, user, waiting);
}

/** Exactly true; where it cannot be worked out it is not, and the journal says why. */
function isEnough(ctx: Context, waiting: readonly BlockEntry[]): boolean {
  const { condition } = ctx.options;
  if (condition === '') return false;
  const subjects = waiting.map(({ value }) => subjectOfDocument(value as unknown as EventDocument) ?? {});
  try {
    const lists = ctx.options.expressions.map(({ name, value }): [string, Json] => [
      name,
      subjects.map((subject) => amount(value, subject)),
    ]);
    return formula(condition).evaluate(Object.fromEntries(lists)) === true;
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error;
    ctx.warn(`Whether "${condition}" is met cannot be worked out: ${error.message}.`, { condition });
    return false;
  }
}

async function releasePeriod(ctx: Context, keys: readonly string[]): Promise<void> {
  const waiting = await ctx.entries.find();
  const groups = new Map<string, { key: string; entries: BlockEntry[] }>();
  let dropped = 0;
  for (const entry of waiting) {
    if (!keys.includes(entry.key)) {
      await ctx.entries.remove(entry.id);
      dropped += 1;
      continue;
    }
    const name = `${entry.key} ${groupOf(ctx, entry.value)}`;
    const group = groups.get(name) ?? { key: entry.key, entries: [] };
    group.entries.push(entry);
    groups.set(name, group);
  }
  if (dropped > 0) ctx.warn(`${String(dropped)} documents were let go: the timer does not run for their owners.`);
  for (const { key, entries } of groups.values()) await release(ctx, await ctx.users.byKey(key), entries);
  if (!ctx.options.emptyData) return;
  const released = new Set([...groups.values()].map(({ key }) => key));
  for (const key of keys.filter((each) => !released.has(each))) await release(ctx, await ctx.users.byKey(key), []);
}

async function release(ctx: Context, user: PolicyUser, entries: readonly BlockEntry[]): Promise<void> {
  for (const { id } of entries) await ctx.entries.remove(id);
  const documents = entries.map(({ value }) => value);
  ctx.emit('RunEvent', documents, { user });
  ctx.emit('RefreshEvent', documents, { user });
}
