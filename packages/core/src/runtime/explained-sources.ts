/** Explains which source of a block selects a document, and which of their conditions the document does not meet. */
import type { BlockHandle, DocumentSource, ReadContext, Selection } from '../block-api/index.js';
import { matches, sameJson, valueAt, type Condition, type DocumentRecord, type Json } from '../records/index.js';

export interface ExplainedCondition {
  /** Tag of the block that sets the condition: a source, a filter, or the block itself. */
  readonly by: string;
  readonly condition: Condition;
  readonly isMet: boolean;
  /** The document's value there; for the policy's owner only. */
  readonly found?: Json;
}

export interface SourceExplanation {
  readonly tag: string;
  /**
   * `shadowed`: an earlier source already shows the document. `forbidden` and `inactive`: the source is not open to the
   * user.
   */
  readonly outcome: 'selected' | 'shadowed' | 'dropped' | 'inactive';
  readonly reason?: string;
  readonly conditions: readonly ExplainedCondition[];
}

interface FilterConditions {
  readonly by: string;
  readonly conditions: readonly Condition[];
}

/**
 * `selection`: what `ctx.block` selects now, which is authoritative; its filters are only called to attribute
 * conditions to blocks.
 */
export async function explainedSources(
  ctx: ReadContext,
  selection: Selection,
  document: DocumentRecord,
  showValues: boolean,
): Promise<SourceExplanation[]> {
  const ofChildren = await filterConditionsOf(ctx.children);
  const explained: SourceExplanation[] = [];
  let isSelected = false;
  for (const source of selection.sources) {
    const handle = ctx.children.find(({ block }) => block.tag === source.tag);
    const ofSource =
      handle === undefined
        ? []
        : await filterConditionsOf(handle.block.children.map((child) => ctx.blockHandle(child)));
    const own = await ownConditions(handle);
    const filterConditions = [...ofChildren, ...ofSource, { by: source.tag, conditions: own }];
    const conditions = explainConditions(source, filterConditions, { document, showValues, fallback: ctx.block.tag });
    const isMatch = matches(document, source.where);
    const outcome = !isMatch ? 'dropped' : isSelected ? 'shadowed' : 'selected';
    isSelected ||= isMatch;
    explained.push({ tag: source.tag, outcome, conditions });
  }
  return [...explained, ...(await closedSources(ctx))];
}

/** The conditions that the source sets itself, excluding those of its filters, which are reported before it. */
async function ownConditions(handle: BlockHandle | undefined): Promise<Condition[]> {
  return ((await handle?.select())?.sources ?? []).flatMap(({ where }) => parts(where));
}

async function closedSources(ctx: ReadContext): Promise<SourceExplanation[]> {
  const closed: SourceExplanation[] = [];
  for (const child of ctx.children.filter(({ kind }) => kind === 'source')) {
    const decision = await child.availability();
    if (decision.outcome !== 'inactive') continue;
    closed.push({ tag: child.block.tag, ...decision, outcome: decision.outcome, conditions: [] });
  }
  return closed;
}

async function filterConditionsOf(handles: readonly BlockHandle[]): Promise<FilterConditions[]> {
  const conditions: FilterConditions[] = [];
  for (const filter of handles.filter(({ kind }) => kind === 'filter')) {
    if ((await filter.availability()).outcome !== 'allowed') continue;
    const condition = await filter.narrow();
    if (condition !== undefined) conditions.push({ by: filter.block.tag, conditions: parts(condition) });
  }
  return conditions;
}

interface ExplainOptions {
  readonly document: DocumentRecord;
  readonly showValues: boolean;
  /** The block that a condition is attributed to if no other claims it. */
  readonly fallback: string;
}

const explainConditions = (
  source: DocumentSource,
  filterConditions: readonly FilterConditions[],
  { document, showValues, fallback }: ExplainOptions,
): ExplainedCondition[] =>
  parts(source.where).map((condition) => {
    const actual = 'path' in condition ? valueAt(document, condition.path) : undefined;
    return {
      by:
        filterConditions.find(({ conditions }) => conditions.some((each) => sameJson(each, condition)))?.by ?? fallback,
      condition,
      isMet: matches(document, condition),
      ...(showValues && actual !== undefined && { found: actual as Json }),
    };
  });

/** The conditions of a conjunction. */
const parts = (condition: Condition): Condition[] => ('all' in condition ? condition.all.flatMap(parts) : [condition]);
