/** What a calculated credential takes over from the credentials that it was calculated from. */
import { isObject, type DocumentInput, type Json, type JsonObject, type RunContext } from '@blockwork/core/block';
import { credentialDocument } from '../common/credential-document.js';
import { documentsIn, type EventDocument } from '../common/event-documents.js';
import { subjectOf } from '../common/subject.js';

/** Credentials and their subjects; presentations in a list have nothing to calculate with. */
export interface Source {
  readonly document: EventDocument;
  readonly subject: JsonObject;
}

export type Sources = readonly [Source, ...Source[]];

/** Throws `DOCUMENT_MISSING` where no document has a subject. */
export function sourcesOf(ctx: RunContext, data: Json): Sources {
  const found = documentsIn(data).flatMap((document): Source[] => {
    const subject = subjectOf(document.document);
    return subject === undefined ? [] : [{ document, subject }];
  });
  const [first, ...rest] = found;
  return first === undefined ? ctx.fail('DOCUMENT_MISSING') : [first, ...rest];
}

/** A record of the first one's owner, which builds on the messages of all, and knows all their accounts and tokens. */
export function calculatedDocument(
  ctx: RunContext,
  sources: Sources,
  schema: string,
  credential: JsonObject,
): DocumentInput {
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

/** Later ones win. */
const merged = (objects: readonly unknown[]): JsonObject =>
  Object.assign({}, ...objects.filter(isObject)) as JsonObject;
