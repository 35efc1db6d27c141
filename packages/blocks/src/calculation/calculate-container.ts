/** `calculateContainerBlock`: creates a credential from fields of others and the results of its addons (reference engine, section 7.20). */
import {
  asJson,
  defineBlock,
  RELEASE,
  documentsIn,
  passOn,
  tolerant,
  type Derivation,
  type DerivedField,
  type DerivedVariable,
  type DocumentInput,
  type DocumentRecord,
  type Json,
  type JsonObject,
  type ReadContext,
  type Reference,
  type RunContext,
} from '@blockwork/core/block';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { schemaOf } from '../schemas/index.js';
import { calculated, explained, type Calculation } from './calculate-addon.js';
import { unknownNames, unknownOutputs } from './calculate-findings.js';
import { documentValueAt, storedSources, type StoredSource } from './derivation.js';
import { calculatedDocument, calculatedSubject, sourcesOf, type Sources } from './source-documents.js';

const { flag, listOf, text } = tolerant;

const field = z.object({
  /** Name of the schema's field. */
  name: text,
  /** Name of the variable. */
  value: text,
});
type Field = z.infer<typeof field>;

const options = z.object({
  inputSchema: text,
  outputSchema: text,
  inputFields: listOf(field),
  outputFields: listOf(field),
  /** `separate`: one result per document; otherwise one for all, with lists as variables. */
  inputDocuments: text,
  /** Leave the result unsigned. */
  unsigned: flag,
});
type Context = RunContext<z.infer<typeof options>>;

export const calculateContainerBlock = defineBlock({
  type: 'calculateContainerBlock',
  title: 'Calculate',
  description: "Creates a credential, signed by the policy's owner, from fields of others and formulas over them.",
  kind: 'server',
  passesOn: true,
  children: ['addon'],
  options,
  outputs: [RELEASE],
  references: ({ inputSchema, outputSchema, inputFields }) => [
    { to: 'schema', name: inputSchema, path: '/inputSchema' },
    { to: 'schema', name: outputSchema, path: '/outputSchema' },
    ...inputFields.map(({ name }, index): Reference => ({
      to: 'field',
      name,
      path: `/inputFields/${String(index)}/name`,
      severity: 'warning',
    })),
  ],
  check: (node, { inputFields, outputFields }) => [
    ...unknownNames(node, inputFields),
    ...unknownOutputs(node, inputFields, outputFields),
  ],
  async derive(ctx, document) {
    const { inputSchema, outputSchema } = ctx.options;
    if (document.schema !== outputSchema) return null;
    const [first, ...rest] = await storedSources(ctx, document, inputSchema);
    // If both schemas are the same, inputs cannot be distinguished from results.
    if (first === undefined) return inputSchema === outputSchema ? null : { sources: [], variables: [], fields: [] };
    // It is not recorded whether a document arrived alone or in a list, so its content decides.
    const forms = rest.length > 0 ? [true] : [false, true];
    const derivations: Derivation[] = [];
    for (const asLists of forms) derivations.push(await derived(ctx, document, [first, ...rest], asLists));
    return derivations.find(({ fields }) => fields.every(isFound)) ?? derivations[0] ?? null;
  },
  on: {
    async RunEvent(ctx, { data }) {
      if (ctx.options.inputDocuments !== 'separate' || !Array.isArray(data)) {
        passOn(ctx, await result(ctx, sourcesOf(ctx, data), Array.isArray(data)));
        return;
      }
      const results: DocumentInput[] = [];
      for (const document of documentsIn(data)) {
        await ctx.budget.giveWay();
        results.push(await result(ctx, sourcesOf(ctx, asJson(document)), false));
      }
      passOn(ctx, results);
    },
  },
});

const isFound = ({ value, found }: DerivedField): boolean => isDeepStrictEqual(value, found);

async function derived(
  ctx: ReadContext<z.infer<typeof options>>,
  document: DocumentRecord,
  sources: readonly [StoredSource, ...StoredSource[]],
  asLists: boolean,
): Promise<Derivation> {
  const documentIds = sources.map(({ document }) => document.id);
  let scope = inputs(ctx.options.inputFields, sources, asLists);
  const variables: DerivedVariable[] = ctx.options.inputFields.map(({ name: path, value: name }) => ({
    name,
    by: ctx.block.tag,
    value: scope[name] ?? null,
    from: { documentIds, path },
  }));
  const { owner, group } = sources[0].document;
  for (const child of ctx.children) {
    const question: Calculation = { scope, owner, group: group ?? null };
    const answer = explained.safeParse(await child.answer(question));
    if (!answer.success) continue;
    ({ scope } = answer.data);
    variables.push(...answer.data.variables);
  }
  const values = outputs(ctx.options.outputFields, scope);
  const fields = ctx.options.outputFields.map(({ name: path, value: variable }) => ({
    path,
    variable,
    value: values[path] ?? null,
    found: documentValueAt(document, path),
  }));
  return { sources: documentIds, variables, fields };
}

async function result(ctx: Context, sources: Sources, asLists: boolean): Promise<DocumentInput> {
  const { outputSchema } = ctx.options;
  const schema = await schemaOf(ctx, outputSchema);
  const fields = outputs(ctx.options.outputFields, await variables(ctx, sources, asLists));
  const subject = calculatedSubject(ctx, schema, fields, sources[0].subject);
  const credential = { issuer: ctx.policy.owner, subject };
  return calculatedDocument(ctx, sources, { schema: outputSchema, credential, unsigned: ctx.options.unsigned });
}

/** The input fields, passed through the addons one after the other. */
async function variables(ctx: Context, sources: Sources, asLists: boolean): Promise<JsonObject> {
  const { owner, group } = sources[0].document;
  let scope = inputs(ctx.options.inputFields, sources, asLists);
  for (const { block } of ctx.children) {
    const question: Calculation = { scope, owner, group: group ?? null };
    const answer = calculated.safeParse(await ctx.assist(block, question));
    if (answer.success) ({ scope } = answer.data);
  }
  return scope;
}

/** The variables read from fields of the sources. */
function inputs(fields: readonly Field[], sources: Sources, asLists: boolean): JsonObject {
  const present = fields.flatMap(({ name, value }): [string, Json][] => {
    const result = asLists ? sources.map(({ subject }) => subject[name] ?? null) : sources[0].subject[name];
    return result === undefined ? [] : [[value, result]];
  });
  return Object.fromEntries(present);
}

/** Fields without a value are left out; 0 and false are values. */
function outputs(fields: readonly Field[], scope: JsonObject): JsonObject {
  const present = fields.flatMap(({ name, value }): [string, Json][] => {
    const result = Object.hasOwn(scope, value) ? scope[value] : undefined;
    return result === undefined || result === null || result === '' ? [] : [[name, result]];
  });
  return Object.fromEntries(present);
}
