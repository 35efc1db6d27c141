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
 * `carryOut` does the operation, whose memo names the message of the presentation, and resolves with what the presentation's
 * record says of it. Resolves with that record.
 */
export async function giveEvidence(
  ctx: RunContext,
  deed: Deed,
  carryOut: (messageId: string) => Promise<Partial<DocumentInput>>,
): Promise<DocumentRecord> {
  const issuer = ctx.policy.owner;
  const { type, subject, documents, additional } = deed;
  const names = await sourceNames(ctx, deed);
  const credential = await ctx.credentials.issue({ issuer, subject });
  const presented = await ctx.credentials.present(issuer, [...(await behind(ctx, deed, names)), credential]);
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
  const presentation = {
    ...about,
    ...(names !== null && namedOtherwise(names)),
    dataType: 'vp-documents' as const,
    document: presented,
    relationships: [...sources, ...(typeof published.messageId === 'string' ? [published.messageId] : [])],
  };
  return publishAndStore(ctx, presentation, carryOut);
}

/** The documents themselves; with impacts or further presentations, a credential that names them. */
async function behind(ctx: RunContext, { documents, impacts }: Deed, names: SourceNames | null): Promise<JsonObject[]> {
  if (names === null) return documents.flatMap(({ document }) => credentialsIn(document));
  const { dataSource, relationships } = names;
  const subject = {
    type: 'TokenDataSource',
    dataSource: [...dataSource.signed],
    relationships: [...relationships.signed],
  };
  return [await ctx.credentials.issue({ issuer: ctx.policy.owner, subject }), ...impacts];
}

/** The same documents, as the book names them and as what is signed does: with ids that outlast the book. */
interface Names {
  readonly stored: readonly string[];
  readonly signed: readonly string[];
}

type SourceNames = Readonly<Record<'dataSource' | 'relationships', Names>>;

/** `null` where no credential names the sources, since the presentation has them all: nothing waits for ids of the ledger then. */
async function sourceNames(ctx: RunContext, { documents, additional, impacts }: Deed): Promise<SourceNames | null> {
  if (impacts.length === 0 && additional.length === 0) return null;
  return { dataSource: await namesOf(ctx, documents), relationships: await namesOf(ctx, additional) };
}

/** A document whose message has no such id is signed with its own. */
async function namesOf(ctx: RunContext, documents: readonly DocumentInput[]): Promise<Names> {
  const signed: string[] = [];
  for (const { messageId, document } of documents) {
    const id = typeof messageId === 'string' ? await ctx.ledger.signedMessageId(messageId) : undefined;
    signed.push(...named({ document, ...(id !== undefined && { messageId: id }) }));
  }
  return { stored: unique(documents.flatMap(named)), signed: unique(signed) };
}

/** By its message; a document that was never published, by its own id. */
function named({ messageId, document }: Pick<DocumentInput, 'messageId' | 'document'>): string[] {
  const id = messageId ?? document.id;
  return typeof id === 'string' ? [id] : [];
}

/** For readers of the store, where what was signed names the ledger's ids: the book's, as far as there are others. */
function namedOtherwise({ dataSource, relationships }: SourceNames): Partial<DocumentInput> {
  const isOther = [dataSource, relationships].some(({ stored, signed }) => stored.join() !== signed.join());
  return isOther
    ? { tokenSources: { dataSource: [...dataSource.stored], relationships: [...relationships.stored] } }
    : {};
}

const unique = (ids: readonly string[]): string[] => [...new Set(ids)];
