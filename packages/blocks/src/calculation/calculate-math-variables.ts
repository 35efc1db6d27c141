/** `calculateMathVariables`: takes variables from another document of the policy (reference engine, section 7.22). */
import {
  valueAt,
  type Block,
  type BlockNode,
  type Condition,
  type Finding,
  type Json,
  type JsonObject,
  type ReadContext,
  type RunContext,
} from '@blockwork/core/block';
import { z } from 'zod';
import { flag, listOf, text } from '../common/option-schemas.js';
import { calculation, type Calculation } from './calculate-addon.js';
import { optionFinding } from './calculate-findings.js';

const selector = z.object({
  /** Path into the document record. */
  sourceField: text,
  selectorType: text.pipe(z.enum(['equal', 'not_equal', 'in', 'not_in', ''])),
  comparisonValue: z.union([z.string(), z.number(), z.boolean()]).nullish(),
  /** `var`: the value is the name of a variable, or names joined by commas. */
  comparisonValueType: text,
});

const options = z.object({
  sourceSchema: text,
  onlyOwnDocuments: flag,
  onlyOwnByGroupDocuments: flag,
  onlyAssignDocuments: flag,
  onlyAssignByGroupDocuments: flag,
  selectors: listOf(selector),
  variables: listOf(z.object({ variableName: text, variablePath: text })),
});
type Options = z.infer<typeof options>;

const nothing: Condition = { any: [] };

export class CalculateMathVariables implements Block<Options> {
  readonly about = {
    type: 'calculateMathVariables',
    title: 'Variables',
    description: 'Takes variables from the first stored credential that is selected.',
    kind: 'addon',
    children: 'none',
    parents: ['calculateContainerBlock'],
  } as const;
  readonly options = options;

  check(node: BlockNode, { selectors, variables }: Options): Finding[] {
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
  }

  /** Without such a document the variables stay as they are. */
  async assist(ctx: RunContext<Options>, input: Json): Promise<Json> {
    const given = calculation.parse(input);
    const where = condition(ctx, given);
    const [found] = await ctx.documents.rows({ sources: [{ tag: ctx.block.tag, where }] }, { limit: 1 });
    if (found === undefined) {
      ctx.warn('No document is selected, so the variables have no value.');
      return { scope: given.scope };
    }
    const taken = ctx.options.variables.map(({ variableName, variablePath }): [string, Json] => [
      variableName,
      (valueAt(found, variablePath) ?? null) as Json,
    ]);
    return { scope: { ...given.scope, ...Object.fromEntries(taken) } };
  }
}

/** "Own" is of the owner of the document that is calculated with. Nobody's group is no group. */
function condition({ options }: ReadContext<Options>, { scope, owner, group }: Calculation): Condition {
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
