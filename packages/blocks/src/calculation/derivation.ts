/** Finds the documents from which a calculated document was made. */
import { valueAt, type DocumentRecord, type Json, type JsonObject, type ReadContext } from '@blockwork/core/block';
import { formulaProblem, variablesOf } from '../formulas/index.js';
import { subjectOf } from '../common/subject.js';

export interface StoredSource {
  readonly document: DocumentRecord;
  readonly subject: JsonObject;
}

/**
 * The credentials whose messages the document references, in that order; if it references none, as unsigned documents do,
 * those about the same subject. With an input schema, only credentials of that schema, if any.
 */
export async function storedSources(
  ctx: ReadContext,
  calculatedDocument: DocumentRecord,
  inputSchema = '',
): Promise<readonly StoredSource[]> {
  const { relationships = [] } = calculatedDocument;
  const documents =
    relationships.length > 0 ? await builtOn(ctx, relationships) : await sameSubject(ctx, calculatedDocument);
  const sources = documents.flatMap((document): StoredSource[] => {
    const subject = document.id === calculatedDocument.id ? undefined : subjectOf(document.document);
    return subject === undefined ? [] : [{ document, subject }];
  });
  const fitting = sources.filter(({ document }) => document.schema === inputSchema);
  return fitting.length > 0 ? fitting : sources;
}

async function builtOn(ctx: ReadContext, messageIds: readonly string[]): Promise<DocumentRecord[]> {
  const documents = await ctx.documents.find({ path: 'messageId', op: 'in', value: [...messageIds] });
  const rank = ({ messageId }: DocumentRecord): number => messageIds.indexOf(messageId ?? '');
  return documents.sort((a, b) => rank(a) - rank(b));
}

async function sameSubject(ctx: ReadContext, document: DocumentRecord): Promise<DocumentRecord[]> {
  const id = subjectOf(document.document)?.id;
  if (typeof id !== 'string' || document.schema === undefined) return [];
  return ctx.documents.find({
    all: [
      { path: 'document.credentialSubject.0.id', op: 'eq', value: id },
      { path: 'schema', op: 'ne', value: document.schema },
    ],
  });
}

/** Only of a valid formula; others have no value anyway. */
export const namesUsed = (formula: string): string[] => (formulaProblem(formula) === null ? variablesOf(formula) : []);

/** The value at a path into the document's subject, or `null`. */
export const documentValueAt = (document: DocumentRecord, path: string): Json =>
  (valueAt(subjectOf(document.document) ?? {}, path) ?? null) as Json;
