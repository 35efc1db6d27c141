/** `calculateMathVariables`: reads variables from another document of the policy (reference engine, section 7.22). */
import {
  defineBlock,
  nothing,
  tolerant,
  valueAt,
  type Condition,
  type DocumentRecord,
  type Finding,
  type Json,
  type JsonObject,
  type ReadContext,
} from '@blockwork/core/block';
import { z } from 'zod';
import { calculation, type Calculation } from './calculate-addon.js';
import { optionFinding } from './calculate-findings.js';

const { flag, listOf, text } = tolerant;

const selector = z.strictObject({
  /** Path into the document record. */
  sourceField: text,
  selectorType: text.pipe(z.enum(['equal', 'not_equal', 'in', 'not_in', ''])),
  comparisonValue: z.union([z.string(), z.number(), z.boolean()]).nullish(),
  /** `var`: the value is the name of a variable, or a comma-separated list of names. */
  comparisonValueType: text,
});

const options = z.strictObject({
  sourceSchema: text,
  onlyOwnDocuments: flag,
  onlyOwnByGroupDocuments: flag,
  onlyAssignDocuments: flag,
  onlyAssignByGroupDocuments: flag,
  selectors: listOf(selector),
  variables: listOf(z.strictObject({ variableName: text, variablePath: text })),
});
type Options = z.infer<typeof options>;

export const calculateMathVariables = defineBlock({
  type: 'calculateMathVariables',
  title: 'Variables',
  description: 'Reads variables from the first stored credential that matches the selectors.',
  kind: 'addon',
  children: 'none',
  parents: ['calculateContainerBlock'],
  options,
  check(node, { selectors, variables }) {
    const missing = (option: string): Finding => optionFinding(node, option, 'it is not set');
    return [
      ...selectors.flatMap(({ sourceField, comparisonValue }, i) => [
        ...(sourceField === '' ? [missing(`selectors/${String(i)}/sourceField`)] : []),
        ...((comparisonValue ?? '') === '' ? [missing(`selectors/${String(i)}/comparisonValue`)] : []),
      ]),
      ...variables.flatMap(({ variablePath }, i) =>
        variablePath === '' ? [missing(`variables/${String(i)}/variablePath`)] : [],
      ),
    ];
  },
  async answer(ctx, question) {
    const parsed = calculation.parse(question);
    const { document, values } = await selection(ctx, parsed);
    const from = document === undefined ? [] : [document.id];
    return {
      scope: { ...parsed.scope, ...values },
      variables: ctx.options.variables.map(({ variableName: name, variablePath: path }) => ({
        name,
        by: ctx.block.tag,
        value: values[name] ?? null,
        from: { documentIds: from, path },
      })),
    };
  },
  /** Without such a document the variables stay as they are. */
  async assist(ctx, input) {
    const parsed = calculation.parse(input);
    const { document, values } = await selection(ctx, parsed);
    if (document === undefined) ctx.warn('No document is selected, so the variables have no value.');
    return { scope: { ...parsed.scope, ...values } };
  },
});

/** The first matching document, and the variables read from it. */
async function selection(
  ctx: ReadContext<Options>,
  calculation: Calculation,
): Promise<{ document: DocumentRecord | undefined; values: JsonObject }> {
  const [document] = await ctx.documents.find(condition(ctx.options, calculation), { limit: 1 });
  if (document === undefined) return { document, values: {} };
  const values = ctx.options.variables.map(({ variableName, variablePath }): [string, Json] => [
    variableName,
    (valueAt(document, variablePath) ?? null) as Json,
  ]);
  return { document, values: Object.fromEntries(values) };
}

/** "Own" refers to the owner of the input document. Without a group, no group's documents match. */
function condition(options: Options, { scope, owner, group }: Calculation): Condition {
  const of = (path: string, value: string | null): Condition => (value === null ? nothing : { path, op: 'eq', value });
  return {
    all: [
      { path: 'dataType', op: 'eq', value: 'vc-documents' },
      ...(options.sourceSchema === '' ? [] : [of('schema', options.sourceSchema)]),
      ...(options.onlyOwnDocuments ? [of('owner', owner)] : []),
      ...(options.onlyOwnByGroupDocuments ? [of('group', group)] : []),
      ...(options.onlyAssignDocuments ? [of('assignedTo', owner)] : []),
      ...(options.onlyAssignByGroupDocuments ? [of('assignedToGroup', group)] : []),
      ...options.selectors.map((each) => selected(each, scope)),
    ],
  };
}

function selected(
  { sourceField: path, selectorType, comparisonValue, comparisonValueType }: z.infer<typeof selector>,
  scope: JsonObject,
): Condition {
  const written = comparisonValue ?? '';
  const valueOf = (value: string | number | boolean): Json => {
    if (comparisonValueType !== 'var') return value;
    return Object.hasOwn(scope, String(value)) ? (scope[String(value)] ?? null) : null;
  };
  const list = String(written)
    .split(',')
    .map((each) => valueOf(each.trim()));
  switch (selectorType) {
    case 'not_equal':
      return { path, op: 'ne', value: valueOf(written) };
    case 'in':
      return { path, op: 'in', value: list };
    case 'not_in':
      return { path, op: 'nin', value: list };
    default:
      return { path, op: 'eq', value: valueOf(written) };
  }
}
