/** Evidence of a token operation: a credential that records it, in a presentation with its source documents. */
import type { DocumentInput, DocumentRecord, JsonObject, RunContext } from '@blockwork/core/block';
import { publishAndStore } from '../common/publish-and-store.js';
import { credentialsIn } from '../common/subject.js';
import type { SomeDocuments } from './trusted-documents.js';

export interface Deed {
  /** Type of the two documents: `mint`, `retirement`. */
  readonly type: string;
  /** The operation. */
  readonly subject: JsonObject & { readonly type: string };
  /** Its source documents. */
  readonly documents: SomeDocuments;
  /** Further presentations that it references. */
  readonly additional: readonly DocumentInput[];
  /** Credentials of its additional impacts. */
  readonly impacts: readonly JsonObject[];
}

/**
 * Issues both in the name of the policy's owner, publishes and stores them as belonging to the first document's owner.
 * Resolves with the presentation.
 */
export async function giveEvidence(ctx: RunContext, deed: Deed): Promise<DocumentRecord> {
  const issuer = ctx.policy.owner;
  const { type, subject, documents, additional } = deed;
  const credential = await ctx.credentials.issue({ issuer, subject });
  const presented = await ctx.credentials.present(issuer, [...(await behind(ctx, deed)), credential]);
  const [{ owner, group }] = documents;
  const about = { type, owner, ...(group === undefined ? {} : { group }) };
  const sources = unique([...documents, ...additional].flatMap(({ messageId }) => messageId ?? []));
  const published = await publishAndStore(ctx, {
    ...about,
    dataType: 'vc-documents',
    schema: `#${subject.type}`,
    document: credential,
    relationships: sources,
  });
  return publishAndStore(ctx, {
    ...about,
    dataType: 'vp-documents',
    document: presented,
    relationships: [...sources, ...(typeof published.messageId === 'string' ? [published.messageId] : [])],
  });
}

/** The documents themselves; with impacts or further presentations, a credential that names them. */
async function behind(ctx: RunContext, { documents, additional, impacts }: Deed): Promise<JsonObject[]> {
  if (impacts.length === 0 && additional.length === 0)
    return documents.flatMap(({ document }) => credentialsIn(document));
  const subject = {
    type: 'TokenDataSource',
    dataSource: unique(documents.flatMap(named)),
    relationships: unique(additional.flatMap(named)),
  };
  return [await ctx.credentials.issue({ issuer: ctx.policy.owner, subject }), ...impacts];
}

/** By its message; a document that was never published, by its own id. */
function named({ messageId, document }: DocumentInput): string[] {
  const id = messageId ?? document.id;
  return typeof id === 'string' ? [id] : [];
}

const unique = (ids: readonly string[]): string[] => [...new Set(ids)];
