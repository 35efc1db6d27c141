/** `aggregateDocumentBlock`: keeps documents until a condition is met or a timer fires (reference engine, section 7.24). */
import {
  asJson,
  type BlockEntry,
  type BlockNode,
  type BlockType,
  defineBlock,
  type DocumentInput,
  documentsIn,
  everything,
  type Finding,
  type Json,
  type PolicyTree,
  type PolicyUser,
  REFRESH,
  RUN,
  type RunContext,
  tolerant,
  valueAt,
} from '@blockwork/core/block';
import { z } from 'zod';
import {
  fieldReferences,
  type FormulaBlockOptions,
  FormulaError,
  formulaProblem,
  FormulaRunner,
  subjectOfDocument,
  variablesOf,
} from '../formulas/index.js';
import { formulaFindings, optionFinding } from './calculate-findings.js';

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
  const entries = (await ctx.entries.find(user.key)).filter(({ value }) => groupKeyOf(ctx, value) === group);
  if (await isEnough(ctx, formulas, entries)) await release(ctx, user, entries);
}

/** Whether the condition is exactly `true`. A failed evaluation counts as not met and is logged to the journal. */
async function isEnough(ctx: Context, formulas: FormulaRunner, entries: readonly BlockEntry[]): Promise<boolean> {
  const { condition } = ctx.options;
  if (condition === '') return false;
  const subjects = entries.map(({ value }) => documentsIn(value).map(subjectOfDocument)[0] ?? {});
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
  const entries = await ctx.entries.find();
  const stopped = entries.filter(({ key }) => !keys.includes(key));
  for (const { id } of stopped) await ctx.entries.remove(id);
  if (stopped.length > 0) {
    ctx.warn(`${String(stopped.length)} documents were dropped, because the timer does not run for their owners.`);
  }
  const groups = grouped(
    ctx,
    entries.filter(({ key }) => keys.includes(key)),
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

function grouped(ctx: Context, entries: readonly BlockEntry[]): ReleaseGroup[] {
  const groups = new Map<string, ReleaseGroup>();
  for (const entry of entries) {
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

function aggregateDocumentFindings(node: BlockNode, options: AggregateDocumentOptions, policy: PolicyTree): Finding[] {
  const { aggregateType, groupByFields } = options;
  return [
    ...groupByFields.flatMap(({ fieldPath }, i) =>
      fieldPath === '' ? [optionFinding(node, `groupByFields/${String(i)}/fieldPath`, 'it is not set')] : [],
    ),
    ...(aggregateType === 'cumulative' ? cumulativeFindings(node, options) : []),
    ...(aggregateType === 'period' && !isTimed(node, policy)
      ? [optionFinding(node, 'timer', 'no link brings a TimerEvent, so nothing is ever released', 'warning')]
      : []),
    ...(aggregateType === '' ? [optionFinding(node, 'aggregateType', 'it is neither "period" nor "cumulative"')] : []),
  ];
}

function cumulativeFindings(node: BlockNode, { condition, expressions }: AggregateDocumentOptions): Finding[] {
  if (condition === '') return [optionFinding(node, 'condition', 'it is not set, so nothing is ever released')];
  const names = new Set(expressions.map(({ name }) => name));
  const unknown = formulaProblem(condition) === null ? variablesOf(condition).filter((name) => !names.has(name)) : [];
  return [
    ...formulaFindings(node, [
      { option: 'condition', text: condition },
      ...expressions.map(({ value }, i) => ({ option: `expressions/${String(i)}/value`, text: value })),
    ]),
    ...unknown.map((name) => optionFinding(node, 'condition', `no expression gives the variable "${name}"`)),
  ];
}

const isTimed = (node: BlockNode, policy: PolicyTree): boolean =>
  policy.blocks.some(({ links }) =>
    [...links.values()].flat().some(({ target, input }) => target === node && input === 'TimerEvent'),
  );

const { flag, listOf, text } = tolerant;

const aggregateDocumentOptions = z.strictObject({
  aggregateType: text.pipe(z.enum(['period', 'cumulative', ''])),
  /** Tag of the timer. Informational; the event link decides. */
  timer: text,
  /** Evaluated for each document; the condition sees a list of results for each name. */
  expressions: listOf(z.strictObject({ name: text, value: text })),
  condition: text,
  groupByFields: listOf(z.strictObject({ fieldPath: text })),
  /** Also release an empty list when the timer fires. */
  emptyData: flag,
  /** Documents of all users together, released in the name of the policy's owner. */
  disableUserGrouping: flag,
});
type AggregateDocumentOptions = z.infer<typeof aggregateDocumentOptions>;
