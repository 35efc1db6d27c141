/** `customLogicBlock`: makes credentials of what a script of the author's says (reference engine, section 7.31). */
import {
  isObject,
  type Block,
  type BlockEvent,
  type BlockNode,
  type DocumentInput,
  type Finding,
  type Json,
  type JsonObject,
  type RunContext,
} from '@blockwork/core/block';
import { z } from 'zod';
import { signerOf } from '../common/document-kind.js';
import { documentsIn } from '../common/event-documents.js';
import { listOf, text } from '../common/option-schemas.js';
import { passOn } from '../common/standard-outputs.js';
import { newSubjectId } from '../forms/subject-identity.js';
import { ScriptError, ScriptPool } from '../scripts/index.js';
import { demandValid, namedSubject, schemaOf } from '../schemas/index.js';
import { artifactsOf } from './artifacts.js';
import { optionFinding } from './calculate-findings.js';
import { calculatedDocument, sourcesOf, type Sources } from './source-documents.js';

const options = z.object({
  /** JavaScript. */
  expression: text,
  outputSchema: text,
  documentSigner: text.pipe(z.enum(['', 'owner', 'issuer', 'policyOwner'])),
  idType: text.pipe(z.enum(['', 'UUID', 'DID', 'OWNER', 'DOCUMENT'])),
  artifacts: listOf(z.object({ uuid: text, type: text, name: text })),
});
type Options = z.infer<typeof options>;

export class CustomLogic implements Block<Options> {
  readonly about = {
    type: 'customLogicBlock',
    title: 'Custom logic',
    description: 'Makes new credentials of what a script works out from the documents.',
    kind: 'server',
    children: 'any',
    outputs: ['RunEvent', 'ReleaseEvent', 'RefreshEvent'],
  } as const;
  readonly options = options;

  constructor(private readonly scripts = new ScriptPool()) {}

  check(node: BlockNode, { expression, outputSchema }: Options): Finding[] {
    return [
      ...(expression.trim() === '' ? [optionFinding(node, 'expression', 'there is no script')] : []),
      ...(outputSchema === '' ? [optionFinding(node, 'outputSchema', 'it is not set')] : []),
    ];
  }

  readonly on = {
    /** One credential for an object, a list of them for a list. */
    RunEvent: async (ctx: RunContext<Options>, { data }: BlockEvent): Promise<void> => {
      const sources = sourcesOf(ctx, data);
      const said = await this.#result(ctx, documentsIn(data) as unknown as Json[]);
      const id = await subjectId(ctx, sources);
      const made: DocumentInput[] = [];
      for (const each of Array.isArray(said) ? said : [said]) made.push(await issued(ctx, sources, id, each));
      passOn(ctx, (Array.isArray(said) ? made : (made[0] ?? null)) as unknown as Json);
    },
  };

  async #result(ctx: RunContext<Options>, documents: readonly Json[]): Promise<Json> {
    const { code, data } = await artifactsOf(ctx, ctx.options.artifacts);
    const { did, role, group, username, key } = ctx.user;
    try {
      return await this.scripts.run(ctx.policy.id, ctx.options.expression, code, {
        documents,
        user: { id: key, did, username, role, group },
        artifacts: data,
        now: ctx.clock.now(),
        seed: Number.parseInt(ctx.ids.uuid().slice(0, 8), 16),
      });
    } catch (error) {
      if (!(error instanceof ScriptError)) throw error;
      return ctx.fail('SCRIPT_FAILED', { facts: { reason: error.message }, cause: error });
    }
  }
}

async function subjectId(ctx: RunContext<Options>, sources: Sources): Promise<Json | undefined> {
  const { idType } = ctx.options;
  return idType === 'DOCUMENT' ? sources[0].subject.id : newSubjectId(ctx, idType);
}

async function issued(
  ctx: RunContext<Options>,
  sources: Sources,
  id: Json | undefined,
  said: Json,
): Promise<DocumentInput> {
  if (!isObject(said)) {
    return ctx.fail('SCRIPT_FAILED', {
      facts: { reason: 'what it hands to done() must be an object, or a list of objects' },
    });
  }
  const schema = await schemaOf(ctx, ctx.options.outputSchema);
  const { ref } = sources[0].subject;
  const subject: JsonObject = {
    ...namedSubject(schema, said),
    policyId: ctx.policy.id,
    ...(id !== undefined && { id }),
    ...(ref !== undefined && ref !== null && ref !== '' && { ref }),
  };
  demandValid(ctx, schema, subject, '/result');
  const credential = await ctx.credentials.issue({ ...signer(ctx, sources), subject });
  return calculatedDocument(ctx, sources, ctx.options.outputSchema, credential);
}

/** Whoever signs is named as the issuer. */
function signer(ctx: RunContext<Options>, [{ document }]: Sources): { issuer: string; group: string | null } {
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
