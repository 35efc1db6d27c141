/** `mathBlock`: credentials whose fields are calculated by formulas in LaTeX. */
import {
  asJson,
  type BlockType,
  checkOptions,
  defineBlock,
  type DocumentInput,
  documentsIn,
  isObject,
  type Json,
  type JsonObject,
  type OptionsOf,
  passOn,
  type ReadContext,
  RELEASE,
  type RunContext,
  shapedLike,
  tolerant,
} from '@blockwork/core/block';
import { z } from 'zod';
import { subjectOf } from '../../common/subject.js';
import { formulaBlockOptions, FormulaRunner, latexNeeds } from '../../formulas/index.js';
import { demandValid, schemaOf } from '../../schemas/index.js';
import { scriptBlockOptions, ScriptRunner } from '../../scripts/index.js';
import { namedArtifacts } from '../artifacts.js';
import { storedSources } from '../derivation.js';
import { calculatedDocument, calculatedSubject, type Source, sourcesOf } from '../source-documents.js';
import { resultOfCode } from './math-code.js';
import { formulasOf, mathExpression, type MathExpression, type MathLink } from './math-expression.js';
import { mathFindings } from './math-findings.js';

const { flag, text } = tolerant;

const options = z.object({
  inputSchema: text,
  /** The input schema when absent. */
  outputSchema: text,
  expression: mathExpression,
  /** Leave the result unsigned. */
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
  checkOptions(settings, mathBlockOptions, 'mathBlock: ');
  const { formulas = {}, scripts = {}, threads } = settings;
  const runners: Runners = {
    formulas: new FormulaRunner({ formulas, ...(threads && { threads }) }, 'mathBlock'),
    scripts: new ScriptRunner(scripts, threads),
  };
  return defineBlock({
    type: 'mathBlock',
    title: 'Formulas',
    description: "Creates a credential, signed by the policy's owner, with fields computed by formulas in LaTeX.",
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
    async derive(ctx, document) {
      const { inputSchema, outputSchema, expression } = ctx.options;
      if (document.schema !== (outputSchema || inputSchema)) return null;
      const [source] = await storedSources(ctx, document, inputSchema);
      if (source === undefined) {
        // Inputs cannot be distinguished from results.
        if (document.schema === inputSchema) return null;
        return { sources: [], variables: [], fields: [], ...scriptIn(expression) };
      }
      const links = await linked(ctx, source, expression.variables);
      const scope = Object.fromEntries(links.map(({ name, value }) => [name, value]));
      const { values } = await runners.formulas.solveLatex(ctx, formulasOf(expression), scope);
      const all = { ...scope, ...values };
      const needs = latexNeeds(formulasOf(expression), Object.keys(scope));
      return {
        sources: [source.document.id],
        variables: [
          ...links.map(({ name, value, documentId, field: path }) => ({
            name,
            by: ctx.block.tag,
            value,
            from: { documentIds: documentId === undefined ? [] : [documentId], path },
          })),
          ...expression.formulas
            .filter(({ type }) => type !== 'function')
            .map(({ name, body }) => ({
              name,
              by: ctx.block.tag,
              value: values[name] ?? null,
              formula: body,
              uses: [...(needs.get(name) ?? [])].filter((each) => Object.hasOwn(all, each)),
            })),
        ],
        fields: expression.outputs.map(({ name: variable, field: path }) => ({
          path,
          variable,
          value: all[variable] ?? null,
          found: readPath(subjectOf(document.document) ?? {}, path),
        })),
        ...scriptIn(expression),
      };
    },
    on: {
      /** One credential for each document. */
      async RunEvent(ctx, { data }) {
        const results: DocumentInput[] = [];
        for (const document of documentsIn(data)) {
          await ctx.budget.giveWay();
          results.push(await result(ctx, runners, asJson(document)));
        }
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
  const links = await linked(ctx, source, expression.variables);
  const scope = Object.fromEntries(links.map(({ name, value }) => [name, value]));
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

const scriptIn = ({ code }: MathExpression): { readonly script?: string } =>
  code.trim() === '' ? {} : { script: code };

interface Linked extends MathLink {
  /** `null` if the document does not have it. */
  readonly value: Json;
  /** The document it was read from, if stored. */
  readonly documentId: string | undefined;
}

/** The values that formulas start from. */
async function linked(
  ctx: ReadContext<z.infer<typeof options>>,
  source: Source,
  links: readonly MathLink[],
): Promise<Linked[]> {
  const isOwn = (schema: string): boolean => schema === '' || schema === ctx.options.inputSchema;
  const others = links.some(({ schema }) => !isOwn(schema)) ? await related(ctx, source) : [];
  return links.map((link) => {
    const document = isOwn(link.schema) ? source.document : others.find(({ schema }) => schema === link.schema);
    const subject = isOwn(link.schema) ? source.subject : document && subjectOf(document.document);
    return { ...link, value: readPath(subject ?? {}, link.field), documentId: document?.id };
  });
}

async function related(ctx: ReadContext, { document: { relationships = [] } }: Source): Promise<DocumentInput[]> {
  if (relationships.length === 0) return [];
  return ctx.documents.find({ path: 'messageId', op: 'in', value: [...relationships] });
}

/** Removes outputs without a value, so that no input value is mistaken for a result. */
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

/** `null` if there is no value; through a list, the list of its elements' values. */
function readPath(subject: Json, path: string): Json {
  return path.split('.').reduce<Json>((value, key) => stepInto(value, key), subject);
}

function stepInto(value: Json, key: string): Json {
  if (Array.isArray(value)) return value.flatMap((element) => stepInto(element, key) ?? []);
  return isObject(value) && Object.hasOwn(value, key) ? (value[key] ?? null) : null;
}

/**
 * The subject with a value at a path; `undefined` removes the field. Creates missing objects along the path. In a list, each
 * element gets its own element of a list, or the value itself. Returns `undefined` if the path crosses anything else.
 */
function withPath(subject: JsonObject, path: string, value: Json | undefined): JsonObject | undefined {
  const written = write(subject, path.split('.'), value);
  return isObject(written) ? written : undefined;
}

function write(container: Json, keys: readonly string[], value: Json | undefined): Json | undefined {
  const [key, ...rest] = keys;
  if (key === undefined) return value;
  if (Array.isArray(container)) return writeEach(container, keys, value);
  if (!isObject(container)) return undefined;
  if (rest.length === 0) {
    const others = Object.entries(container).filter(([name]) => name !== key);
    return Object.fromEntries(value === undefined ? others : [...Object.entries(container), [key, value]]);
  }
  const inner = Object.hasOwn(container, key) ? container[key] : undefined;
  if (inner === undefined && value === undefined) return container;
  const written = write(inner ?? {}, rest, value);
  return written === undefined ? undefined : Object.fromEntries([...Object.entries(container), [key, written]]);
}

function writeEach(container: readonly Json[], keys: readonly string[], value: Json | undefined): Json[] | undefined {
  const written = container.map((element, at) => write(element, keys, Array.isArray(value) ? value[at] : value));
  return written.some((each) => each === undefined) ? undefined : (written as Json[]);
}

export const mathBlockOptions = { ...formulaBlockOptions, ...scriptBlockOptions };

export type MathBlockOptions = OptionsOf<typeof mathBlockOptions>;
