/** `calculateContainerBlock`: makes a credential from fields of others and what its addons calculate (reference engine, section 7.20). */
import {
  asJson,
  defineBlock,
  RELEASE,
  documentsIn,
  passOn,
  tolerant,
  type DocumentInput,
  type Json,
  type JsonObject,
  type RunContext,
} from '@blockwork/core/block';
import { z } from 'zod';
import { schemaOf } from '../schemas/index.js';
import { calculated, type Calculation } from './calculate-addon.js';
import { unknownNames, unknownOutputs } from './calculate-findings.js';
import { calculatedDocument, calculatedSubject, sourcesOf, type Sources } from './source-documents.js';

const { flag, listOf, text } = tolerant;

const field = z.object({
  /** Name of the schema's field. */
  name: text,
  /** Name of the variable. */
  value: text,
});

const options = z.object({
  inputSchema: text,
  outputSchema: text,
  inputFields: listOf(field),
  outputFields: listOf(field),
  /** `separate`: a result for each document; otherwise one for all, whose variables are lists. */
  inputDocuments: text,
  /** Whether the result stays without a proof. */
  unsigned: flag,
});
type Context = RunContext<z.infer<typeof options>>;

export const calculateContainerBlock = defineBlock({
  type: 'calculateContainerBlock',
  title: 'Calculate',
  description:
    'Makes a new credential, signed by the owner of the policy, from fields of others and formulas over them.',
  kind: 'server',
  passesOn: true,
  children: ['addon'],
  options,
  outputs: [RELEASE],
  references: ({ inputSchema, outputSchema }) => [
    { to: 'schema', name: inputSchema, path: '/inputSchema' },
    { to: 'schema', name: outputSchema, path: '/outputSchema' },
  ],
  check: (node, { inputFields, outputFields }) => [
    ...unknownNames(node, inputFields),
    ...unknownOutputs(node, inputFields, outputFields),
  ],
  on: {
    async RunEvent(ctx, { data }) {
      if (ctx.options.inputDocuments !== 'separate' || !Array.isArray(data)) {
        passOn(ctx, await result(ctx, sourcesOf(ctx, data), Array.isArray(data)));
        return;
      }
      const results: DocumentInput[] = [];
      for (const document of documentsIn(data)) {
        results.push(await result(ctx, sourcesOf(ctx, asJson(document)), false));
      }
      passOn(ctx, results);
    },
  },
});

async function result(ctx: Context, sources: Sources, asLists: boolean): Promise<DocumentInput> {
  const { outputSchema } = ctx.options;
  const schema = await schemaOf(ctx, outputSchema);
  const fields = outputs(ctx, await variables(ctx, sources, asLists));
  const subject = calculatedSubject(ctx, schema, fields, sources[0].subject);
  const credential = { issuer: ctx.policy.owner, subject };
  return calculatedDocument(ctx, sources, { schema: outputSchema, credential, unsigned: ctx.options.unsigned });
}

/** The input fields, passed through the addons one after the other. */
async function variables(ctx: Context, sources: Sources, asLists: boolean): Promise<JsonObject> {
  const { owner, group } = sources[0].document;
  const valueOf = (name: string): Json | undefined =>
    asLists ? sources.map(({ subject }) => subject[name] ?? null) : sources[0].subject[name];
  let scope: JsonObject = {};
  for (const { name, value } of ctx.options.inputFields) {
    const found = valueOf(name);
    if (found !== undefined) scope = { ...scope, [value]: found };
  }
  for (const { block } of ctx.children) {
    const question: Calculation = { scope, owner, group: group ?? null };
    const answer = calculated.safeParse(await ctx.assist(block, question));
    if (answer.success) ({ scope } = answer.data);
  }
  return scope;
}

/** Fields without a value are left out; 0 and false are values. */
function outputs(ctx: Context, scope: JsonObject): JsonObject {
  const present = ctx.options.outputFields.flatMap(({ name, value }): [string, Json][] => {
    const found = Object.hasOwn(scope, value) ? scope[value] : undefined;
    return found === undefined || found === null || found === '' ? [] : [[name, found]];
  });
  return Object.fromEntries(present);
}
