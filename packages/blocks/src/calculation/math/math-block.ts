/** `mathBlock`: credentials whose fields are calculated by formulas in LaTeX. */
import { checkOptions } from '@blockwork/core/adapter';
import {
  asJson,
  defineBlock,
  documentsIn,
  isObject,
  passOn,
  RELEASE,
  shapedLike,
  tolerant,
  type BlockType,
  type DocumentInput,
  type Json,
  type JsonObject,
  type RunContext,
} from '@blockwork/core/block';
import { z } from 'zod';
import { subjectOf } from '../../common/subject.js';
import { FormulaRunner } from '../../formulas/index.js';
import { demandValid, schemaOf } from '../../schemas/index.js';
import { ScriptRunner } from '../../scripts/index.js';
import { namedArtifacts } from '../artifacts.js';
import { calculatedDocument, calculatedSubject, sourcesOf, type Source } from '../source-documents.js';
import { resultOfCode } from './math-code.js';
import { formulasOf, mathExpression, type MathLink } from './math-expression.js';
import { mathFindings } from './math-findings.js';
import { mathBlockOptionTypes, type MathBlockOptions } from './math-settings.js';
import { readPath, withPath } from './subject-paths.js';

const { flag, text } = tolerant;

const options = z.object({
  inputSchema: text,
  /** The input schema when absent. */
  outputSchema: text,
  expression: mathExpression,
  /** Whether the result stays without a proof. */
  unsigned: flag,
  artifacts: namedArtifacts,
});
type Context = RunContext<z.infer<typeof options>>;

interface Runners {
  readonly formulas: FormulaRunner;
  readonly scripts: ScriptRunner;
}

/** Throws `OPTION_INVALID`. */
export function mathBlock(settings: MathBlockOptions = {}): BlockType {
  checkOptions(settings, mathBlockOptionTypes, 'mathBlock: ');
  const { formulas = {}, scripts = {}, threads } = settings;
  const runners: Runners = {
    formulas: new FormulaRunner({ formulas, ...(threads && { threads }) }, 'mathBlock'),
    scripts: new ScriptRunner(scripts, threads),
  };
  return defineBlock({
    type: 'mathBlock',
    title: 'Formulas',
    description:
      'Makes a new credential, signed by the owner of the policy, with fields that formulas in LaTeX calculate.',
    kind: 'server',
    children: 'none',
    options,
    outputs: [RELEASE],
    references: ({ inputSchema, outputSchema, expression }) => [
      { to: 'schema', name: inputSchema, path: '/inputSchema' },
      { to: 'schema', name: outputSchema, path: '/outputSchema' },
      ...expression.variables.map(({ schema }) => ({ to: 'schema' as const, name: schema, path: '/expression' })),
    ],
    check: (node, { expression }) => mathFindings(node, expression),
    on: {
      /** One credential for each document. */
      async RunEvent(ctx, { data }) {
        const results: DocumentInput[] = [];
        for (const document of documentsIn(data)) results.push(await result(ctx, runners, asJson(document)));
        if (results.length === 0) ctx.fail('DOCUMENT_MISSING');
        passOn(ctx, shapedLike(results, data));
      },
    },
  });
}

async function result(ctx: Context, runners: Runners, data: Json): Promise<DocumentInput> {
  const sources = sourcesOf(ctx, data);
  const [source] = sources;
  const { inputSchema, outputSchema, expression } = ctx.options;
  const iri = outputSchema || inputSchema;
  const schema = await schemaOf(ctx, iri);
  const scope = await linked(ctx, source, expression.variables);
  const solution = await runners.formulas.solveLatex(ctx, formulasOf(expression), scope);
  for (const { name, error } of solution.failures) {
    ctx.warn(`The formula "${name}" has no value: ${error.message}.`, { formula: name, reason: error.message });
  }
  const values = { ...scope, ...solution.values };
  const calculated = withOutputs(ctx, iri === inputSchema ? source.subject : {}, values);
  const { code } = expression;
  const written =
    code.trim() === ''
      ? calculated
      : await resultOfCode(ctx, runners.scripts, {
          code,
          artifacts: ctx.options.artifacts,
          calculated: {
            document: asJson(source.document),
            relationships: asJson(await related(ctx, source)),
            result: calculated,
            variables: scope,
            formulas: solution.values,
          },
        });
  if (!isObject(written)) {
    return ctx.fail('SCRIPT_FAILED', { facts: { reason: 'its result must be an object' } });
  }
  const subject = calculatedSubject(ctx, schema, written, source.subject);
  demandValid(ctx, schema, subject, '/result');
  const credential = { issuer: ctx.policy.owner, subject };
  return calculatedDocument(ctx, sources, { schema: iri, credential, unsigned: ctx.options.unsigned });
}

/** The values that formulas start from; `null` for one that the documents do not have. */
async function linked(ctx: Context, source: Source, links: readonly MathLink[]): Promise<JsonObject> {
  const isOwn = (schema: string): boolean => schema === '' || schema === ctx.options.inputSchema;
  const others = links.some(({ schema }) => !isOwn(schema)) ? await related(ctx, source) : [];
  const subjectFor = (schema: string): JsonObject => {
    if (isOwn(schema)) return source.subject;
    const document = others.find((each) => each.schema === schema);
    return (document && subjectOf(document.document)) ?? {};
  };
  return Object.fromEntries(links.map(({ name, field, schema }) => [name, readPath(subjectFor(schema), field)]));
}

async function related(ctx: Context, { document: { relationships = [] } }: Source): Promise<DocumentInput[]> {
  if (relationships.length === 0) return [];
  return ctx.documents.find({ path: 'messageId', op: 'in', value: [...relationships] });
}

/** An output without a value is taken out, so that no value of the input passes for a calculated one. */
function withOutputs(ctx: Context, subject: JsonObject, values: JsonObject): JsonObject {
  return ctx.options.expression.outputs.reduce<JsonObject>((written, { name, field }) => {
    const value = values[name] ?? undefined;
    const next = withPath(written, field, value);
    if (next === undefined) {
      ctx.fail('BLOCK_MISCONFIGURED', { facts: { reason: `the output "${name}" cannot be written to "${field}"` } });
    }
    return next;
  }, subject);
}
