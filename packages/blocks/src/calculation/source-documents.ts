/** Source credentials of a calculation, and what the result inherits from them. */
import {
  documentsIn,
  isObject,
  type CredentialInput,
  type DocumentInput,
  type Json,
  type JsonObject,
  type RunContext,
} from '@blockwork/core/block';
import { credentialDocument } from '../common/credential-document.js';
import { subjectOf } from '../common/subject.js';
import { namedSubject, type UsableSchema } from '../schemas/index.js';

/** A credential with its subject. Documents without a subject, such as presentations, are not sources. */
export interface Source {
  readonly document: DocumentInput;
  readonly subject: JsonObject;
}

export type Sources = readonly [Source, ...Source[]];

/** Fails with `DOCUMENT_MISSING` if no document has a subject. */
export function sourcesOf(ctx: RunContext, data: Json): Sources {
  const sources = documentsIn(data).flatMap((document): Source[] => {
    const subject = subjectOf(document.document);
    return subject === undefined ? [] : [{ document, subject }];
  });
  const [first, ...rest] = sources;
  return first === undefined ? ctx.fail('DOCUMENT_MISSING') : [first, ...rest];
}

/** A calculated subject, with references to its policy and to its source subject. */
export const calculatedSubject = (
  ctx: RunContext,
  schema: UsableSchema,
  fields: JsonObject,
  { id, ref }: { readonly id?: Json | undefined; readonly ref?: Json | undefined },
): JsonObject => ({
  ...namedSubject(schema, fields),
  policyId: ctx.policy.id,
  ...(id !== undefined && { id }),
  ...(ref !== undefined && ref !== null && ref !== '' && { ref }),
});

export interface CalculatedCredential {
  readonly schema: string;
  /** Input of `credentials.issue`. */
  readonly credential: CredentialInput;
  /** Unsigned, and inheriting only the owner of its sources: a later block signs it. */
  readonly unsigned: boolean;
}

/** Issues the credential and wraps it in a document. */
export async function calculatedDocument(
  ctx: RunContext,
  sources: Sources,
  { schema, credential, unsigned }: CalculatedCredential,
): Promise<DocumentInput> {
  const issued = await ctx.credentials.issue(credential);
  if (!unsigned) return signedDocument(ctx, sources, schema, issued);
  const { proof: _proof, ...document } = issued;
  const { owner, group } = sources[0].document;
  const calculated = credentialDocument(ctx, document, { owner, group: group ?? null, type: schema, schema });
  return { ...calculated, signature: 0 };
}

/** Belongs to the owner of the first source; relationships, accounts and tokens come from all sources. */
function signedDocument(ctx: RunContext, sources: Sources, schema: string, credential: JsonObject): DocumentInput {
  const documents = sources.map(({ document }) => document);
  const { owner, group } = sources[0].document;
  return credentialDocument(ctx, credential, {
    owner,
    group: group ?? null,
    type: schema,
    schema,
    relationships: documents.flatMap(({ messageId }) => messageId ?? []),
    accounts: merged(documents.map(({ accounts }) => accounts)),
    tokens: merged(documents.map(({ tokens }) => tokens)),
  });
}

/** Later members win. */
const merged = (objects: readonly unknown[]): JsonObject =>
  Object.assign({}, ...objects.filter(isObject)) as JsonObject;
