/** `aggregateDocumentBlock`: keeps documents until a condition is met or a timer fires (reference engine, section 7.24). */
import {
  asJson,
  defineBlock,
  documentsIn,
  everything,
  REFRESH,
  RUN,
  valueAt,
  type BlockEntry,
  type BlockType,
  type DocumentInput,
  type Json,
  type PolicyUser,
  type RunContext,
} from '@blockwork/core/block';
import {
  fieldReferences,
  FormulaError,
  FormulaRunner,
  subjectOfDocument,
  type FormulaBlockOptions,
} from '../formulas/index.js';
import { aggregateDocumentFindings } from './aggregate-document-findings.js';
import { aggregateDocumentOptions, type AggregateDocumentOptions } from './aggregate-document-options.js';

type Context = RunContext<AggregateDocumentOptions>;

/** Throws `OPTION_INVALID`. */
export function aggregateDocumentBlock(settings: FormulaBlockOptions = {}): BlockType {
  const formulas = new FormulaRunner(settings, 'aggregateDocumentBlock');
  return defineBlock({
    type: 'aggregateDocumentBlock',
    title: 'Aggregate',
    description:
      'Collects the documents of each user and releases them together when a condition is met or a timer fires.',
    kind: 'server',
    children: 'none',
    options: aggregateDocumentOptions,
    inputs: ['TimerEvent', 'PopEvent'],
    references: ({ expressions }) =>
      expressions.flatMap(({ value }, at) => fieldReferences(value, `/expressions/${String(at)}/value`)),
    check: aggregateDocumentFindings,
    gathers: everything,
    on: {
      /** The run continues only with what is released. */
      async RunEvent(ctx, { data }) {
        for (const document of documentsIn(data)) {
          await ctx.budget.giveWay();
          const user = await keeperOf(ctx, document);
          await ctx.entries.put({ id: entryId(ctx, document), key: user.key, value: asJson(document) });
          if (ctx.options.aggregateType === 'cumulative') await releaseIfEnough(ctx, formulas, user, document);
        }
      },
      /** The data lists the keys of the users whose period has ended. */
      async TimerEvent(ctx, { data }) {
        if (ctx.options.aggregateType !== 'period') return;
        const keys = (Array.isArray(data) ? data : []).filter((key) => typeof key === 'string');
        await releasePeriod(ctx, ctx.options.disableUserGrouping ? [ctx.policy.owner] : keys);
      },
      /** The data holds the documents to remove. */
      async PopEvent(ctx, { data }) {
        for (const document of documentsIn(data)) {
          await ctx.budget.giveWay();
          await ctx.entries.remove(entryId(ctx, document));
        }
      },
    },
  });
}

/** A credential that arrives repeatedly waits once. */
const entryId = (ctx: Context, { hash, document }: DocumentInput): string => hash ?? ctx.credentials.hash(document);

function keeperOf(ctx: Context, document: DocumentInput): Promise<PolicyUser> {
  return ctx.options.disableUserGrouping ? ctx.users.byKey(ctx.policy.owner) : ctx.users.actor('owner', document);
}

/** Documents with equal keys are released together. */
const groupKeyOf = (ctx: Context, value: unknown): string =>
  JSON.stringify(ctx.options.groupByFields.map(({ fieldPath }) => valueAt(value, fieldPath) ?? null));

async function releaseIfEnough(
  ctx: Context,
  formulas: FormulaRunner,
  user: PolicyUser,
  document: DocumentInput,
): Promise<void> {
  const group = groupKeyOf(ctx, document);
  const waiting = (await ctx.entries.find(user.key)).filter(({ value }) => groupKeyOf(ctx, value) === group);
  if (await isEnough(ctx, formulas, waiting)) await release(ctx, user, waiting);
}

/** Whether the condition is exactly `true`. A failed evaluation counts as not met and is logged to the journal. */
async function isEnough(ctx: Context, formulas: FormulaRunner, waiting: readonly BlockEntry[]): Promise<boolean> {
  const { condition } = ctx.options;
  if (condition === '') return false;
  const subjects = waiting.map(({ value }) => documentsIn(value).map(subjectOfDocument)[0] ?? {});
  try {
    const lists: [string, Json][] = [];
    for (const { name, value } of ctx.options.expressions) {
      lists.push([name, await formulas.amounts(ctx, value, subjects)]);
    }
    return (await formulas.value(ctx, condition, Object.fromEntries(lists))) === true;
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error;
    ctx.warn(`The condition "${condition}" cannot be evaluated: ${error.message}.`, { condition });
    return false;
  }
}

async function releasePeriod(ctx: Context, keys: readonly string[]): Promise<void> {
  const waiting = await ctx.entries.find();
  const stopped = waiting.filter(({ key }) => !keys.includes(key));
  for (const { id } of stopped) await ctx.entries.remove(id);
  if (stopped.length > 0) {
    ctx.warn(`${String(stopped.length)} documents were dropped, because the timer does not run for their owners.`);
  }
  const groups = grouped(
    ctx,
    waiting.filter(({ key }) => keys.includes(key)),
  );
  for (const { key, entries } of groups) await release(ctx, await ctx.users.byKey(key), entries);
  if (!ctx.options.emptyData) return;
  const released = new Set(groups.map(({ key }) => key));
  for (const key of keys.filter((each) => !released.has(each))) await release(ctx, await ctx.users.byKey(key), []);
}

interface ReleaseGroup {
  /** Key of the user that the documents wait for. */
  readonly key: string;
  readonly entries: BlockEntry[];
}

function grouped(ctx: Context, waiting: readonly BlockEntry[]): ReleaseGroup[] {
  const groups = new Map<string, ReleaseGroup>();
  for (const entry of waiting) {
    const name = `${entry.key} ${groupKeyOf(ctx, entry.value)}`;
    const group = groups.get(name) ?? { key: entry.key, entries: [] };
    group.entries.push(entry);
    groups.set(name, group);
  }
  return [...groups.values()];
}

async function release(ctx: Context, user: PolicyUser, entries: readonly BlockEntry[]): Promise<void> {
  for (const { id } of entries) await ctx.entries.remove(id);
  const documents = entries.map(({ value }) => value);
  ctx.emit(RUN, documents, { user });
  ctx.emit(REFRESH, documents, { user });
}
