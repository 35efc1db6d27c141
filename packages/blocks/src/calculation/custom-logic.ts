/** `customLogicBlock`: creates credentials from the result of the author's script (reference engine, section 7.31). */
import { checkOptions } from '@blockwork/core/block';
import {
  asJson,
  defineBlock,
  RELEASE,
  documentsIn,
  isObject,
  passOn,
  shapedLike,
  tolerant,
  type BlockType,
  type DocumentInput,
  type Finding,
  type Json,
  type RunContext,
} from '@blockwork/core/block';
import { z } from 'zod';
import { signerOf } from '../common/document-kind.js';
import { newSubjectId } from '../forms/subject-identity.js';
import { demandValid, schemaOf } from '../schemas/index.js';
import { resultOfScript, scriptBlockOptions, ScriptRunner, type ScriptBlockOptions } from '../scripts/index.js';
import { artifactsOf, namedArtifacts } from './artifacts.js';
import { optionFinding } from './calculate-findings.js';
import { storedSources } from './derivation.js';
import { calculatedDocument, calculatedSubject, sourcesOf, type Sources } from './source-documents.js';

const { flag, text } = tolerant;

const options = z.object({
  /** JavaScript. */
  expression: text,
  outputSchema: text,
  documentSigner: text.pipe(z.enum(['', 'owner', 'issuer', 'policyOwner'])),
  idType: text.pipe(z.enum(['', 'UUID', 'DID', 'OWNER', 'DOCUMENT'])),
  /** Pass documents on unchanged: the script can reject them, but its result is ignored. */
  passOriginal: flag,
  /** Leave the result unsigned. */
  unsigned: flag,
  artifacts: namedArtifacts,
});
type Context = RunContext<z.infer<typeof options>>;

export type CustomLogicOptions = ScriptBlockOptions;

/** Throws `OPTION_INVALID`. */
export function customLogicBlock(settings: CustomLogicOptions = {}): BlockType {
  checkOptions(settings, scriptBlockOptions, 'customLogicBlock: ');
  const scripts = new ScriptRunner(settings.scripts, settings.threads);
  return defineBlock({
    type: 'customLogicBlock',
    title: 'Custom logic',
    description: 'Creates credentials from the result of a script over the documents.',
    kind: 'server',
    passesOn: true,
    children: 'any',
    options,
    outputs: [RELEASE],
    references: ({ outputSchema }) => [{ to: 'schema', name: outputSchema, path: '/outputSchema' }],
    check: (node, { expression, outputSchema, passOriginal }): Finding[] => [
      ...(expression.trim() === ''
        ? [optionFinding(node, 'expression', 'there is no script. Write one, which ends with done(...)')]
        : []),
      ...(outputSchema === '' && !passOriginal
        ? [optionFinding(node, 'outputSchema', 'it is not set, so the block fails when it has a result', 'warning')]
        : []),
    ],
    async derive(ctx, document) {
      const { expression, outputSchema, passOriginal } = ctx.options;
      if (passOriginal || document.schema !== outputSchema) return null;
      const sources = await storedSources(ctx, document);
      return { sources: sources.map((each) => each.document.id), variables: [], fields: [], script: expression };
    },
    on: {
      /** One credential for an object, a list of credentials for a list. */
      async RunEvent(ctx, { data }) {
        if (ctx.options.passOriginal) {
          await scriptResult(ctx, scripts, documentsIn(data).map(asJson));
          passOn(ctx, data);
          return;
        }
        const sources = sourcesOf(ctx, data);
        const result = await scriptResult(ctx, scripts, documentsIn(data).map(asJson));
        const id = await subjectId(ctx, sources);
        const results = Array.isArray(result) ? result : [result];
        ctx.budget.expectDocuments(results.length);
        const outputs: DocumentInput[] = [];
        for (const each of results) {
          await ctx.budget.giveWay();
          outputs.push(await issued(ctx, sources, id, each));
        }
        passOn(ctx, shapedLike(outputs, result));
      },
    },
  });
}

async function scriptResult(ctx: Context, scripts: ScriptRunner, documents: readonly Json[]): Promise<Json> {
  const { code, data } = await artifactsOf(ctx, ctx.options.artifacts);
  const { expression } = ctx.options;
  return resultOfScript(ctx, scripts, { expression, code, documents, artifacts: data, seed: ctx.ids.uuid() });
}

async function subjectId(ctx: Context, sources: Sources): Promise<Json | undefined> {
  const { idType } = ctx.options;
  return idType === 'DOCUMENT' ? sources[0].subject.id : newSubjectId(ctx, idType);
}

async function issued(ctx: Context, sources: Sources, id: Json | undefined, result: Json): Promise<DocumentInput> {
  if (!isObject(result)) {
    return ctx.fail('SCRIPT_FAILED', {
      facts: { reason: 'its result must be an object, or a list of objects' },
    });
  }
  const schema = await schemaOf(ctx, ctx.options.outputSchema);
  const subject = calculatedSubject(ctx, schema, result, { id, ref: sources[0].subject.ref });
  demandValid(ctx, schema, subject, '/result');
  return calculatedDocument(ctx, sources, {
    schema: ctx.options.outputSchema,
    credential: { ...signer(ctx, sources), subject },
    unsigned: ctx.options.unsigned,
  });
}

/** The signer becomes the issuer. */
function signer(ctx: Context, [{ document }]: Sources): { issuer: string; group: string | null } {
  const group = ctx.policy.groups.length > 0 ? (document.group ?? null) : null;
  switch (ctx.options.documentSigner) {
    case 'owner':
      return { issuer: document.owner, group };
    case 'issuer':
      return { issuer: signerOf(document.document) ?? document.owner, group };
    default:
      return { issuer: ctx.policy.owner, group: null };
  }
}
