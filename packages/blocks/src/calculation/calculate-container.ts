/** `calculateContainerBlock`: makes a credential of what others say and its addons work out (reference engine, section 7.20). */
import type {
  Block,
  BlockEvent,
  BlockNode,
  DocumentInput,
  Finding,
  Json,
  JsonObject,
  RunContext,
} from '@blockwork/core/block';
import { z } from 'zod';
import { documentsIn } from '../common/event-documents.js';
import { listOf, text } from '../common/option-schemas.js';
import { passOn } from '../common/standard-outputs.js';
import { namedSubject, schemaOf } from '../schemas/index.js';
import { calculated, type Calculation } from './calculate-addon.js';
import { unknownOutputs } from './calculate-findings.js';
import { calculatedDocument, sourcesOf, type Sources } from './source-documents.js';

const field = z.object({
  /** Of the schema. */
  name: text,
  /** Name of the variable. */
  value: text,
});

const options = z.object({
  inputSchema: text,
  outputSchema: text,
  inputFields: listOf(field),
  outputFields: listOf(field),
  /** `separate`: a result for each document; otherwise one for all, with lists for variables. */
  inputDocuments: text,
});
type Options = z.infer<typeof options>;

export class CalculateContainer implements Block<Options> {
  readonly about = {
    type: 'calculateContainerBlock',
    title: 'Calculate',
    description:
      'Makes a new credential, signed by the owner of the policy, from fields of others and formulas over them.',
    kind: 'server',
    children: ['addon'],
    outputs: ['RunEvent', 'ReleaseEvent', 'RefreshEvent'],
  } as const;
  readonly options = options;

  check(node: BlockNode, written: Options): Finding[] {
    return unknownOutputs(node, written.inputFields, written.outputFields);
  }

  readonly on = {
    RunEvent: async (ctx: RunContext<Options>, { data }: BlockEvent): Promise<void> => {
      if (ctx.options.inputDocuments !== 'separate' || !Array.isArray(data)) {
        passOn(ctx, (await result(ctx, sourcesOf(ctx, data), Array.isArray(data))) as unknown as Json);
        return;
      }
      const results: DocumentInput[] = [];
      for (const document of documentsIn(data)) {
        results.push(await result(ctx, sourcesOf(ctx, document as unknown as Json), false));
      }
      passOn(ctx, results as unknown as Json);
    },
  };
}

async function result(ctx: RunContext<Options>, sources: Sources, asLists: boolean): Promise<DocumentInput> {
  const { outputSchema } = ctx.options;
  const schema = await schemaOf(ctx, outputSchema);
  const fields = outputs(ctx, await variables(ctx, sources, asLists));
  const { id, ref } = sources[0].subject;
  const subject: JsonObject = {
    ...namedSubject(schema, fields),
    policyId: ctx.policy.id,
    ...(id !== undefined && { id }),
    ...(ref !== undefined && ref !== null && ref !== '' && { ref }),
  };
  const credential = await ctx.credentials.issue({ issuer: ctx.policy.owner, subject });
  return calculatedDocument(ctx, sources, outputSchema, credential);
}

/** What the addons, one after the other, make of the fields. */
async function variables(ctx: RunContext<Options>, sources: Sources, asLists: boolean): Promise<JsonObject> {
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
function outputs({ options }: RunContext<Options>, scope: JsonObject): JsonObject {
  const present = options.outputFields.flatMap(({ name, value }): [string, Json][] => {
    const found = Object.hasOwn(scope, value) ? scope[value] : undefined;
    return found === undefined || found === null || found === '' ? [] : [[name, found]];
  });
  return Object.fromEntries(present);
}
