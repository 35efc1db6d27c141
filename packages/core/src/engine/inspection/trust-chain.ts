/** Trust chains: a document's provenance, traced through ledger messages that refer to each other. */
import { identityIn, type LinkedHash, verifyDocument, type Verdict } from '../../credentials/index.js';
import type { Clock } from '../../ports/index.js';
import { equalTo } from '../../records/index.js';
import type { DocumentRecord, LedgerEffect, LedgerMessage } from '../../records/index.js';
import type { RecordReader } from '../../transactions/index.js';

/** Maximum links in a chain; the most distant ones are left out. */
const TRUST_CHAIN_LINKS = 200;

/** A message, a document, or both: an unpublished document has no message, and a message may have no document. */
export interface TrustLink {
  readonly messageId: string | null;
  readonly message?: Omit<LedgerMessage, 'body'>;
  readonly document?: DocumentRecord;
  /** Result of verifying the document's signature now. */
  readonly proof?: Verdict;
  /** The document's signer or the message's sender. */
  readonly signer: string;
  /** The signer's current roles in the policy, including `OWNER`. */
  readonly roles: readonly string[];
  /** Mints for the document; only for presentations. */
  readonly mints: readonly LedgerEffect[];
  /** The messages of this chain it builds on. */
  readonly buildsOn: readonly string[];
}

export interface TrustChain {
  readonly documentId: string;
  /** Oldest first; the document itself is the last. */
  readonly links: readonly TrustLink[];
  /** Referenced messages that the policy's book does not contain. */
  readonly missing: readonly string[];
  /** Whether the limit was not exceeded. */
  readonly isComplete: boolean;
  /** Whether the chain is complete, nothing is missing, and every proof in it is valid. */
  readonly isTrusted: boolean;
}

interface TrustDeps {
  readonly records: RecordReader;
  readonly clock: Clock;
  readonly policyId: string;
  readonly owner: string;
  readonly linkedHash?: LinkedHash | undefined;
}

export async function trustChainOf(deps: TrustDeps, document: DocumentRecord): Promise<TrustChain> {
  const { messages, missing, isComplete } = await linkedMessages(deps, document);
  const own = document.messageId ?? null;
  const documents = await documentsOf(deps, [...messages.keys()]);
  if (own !== null) documents.set(own, document);
  const describe = linkDescriber(deps, new Set(messages.keys()));
  const links: TrustLink[] = [];
  for (const message of [...messages.values()].filter(({ id }) => id !== own).sort((a, b) => (a.id < b.id ? -1 : 1))) {
    links.push(await describe(message, documents.get(message.id)));
  }
  links.push(await describe(own === null ? undefined : messages.get(own), document));
  const isTrusted = isComplete && missing.length === 0 && links.every(({ proof }) => proof?.verified !== false);
  return { documentId: document.id, links, missing, isComplete, isTrusted };
}

interface LinkedMessages {
  readonly messages: ReadonlyMap<string, LedgerMessage>;
  readonly missing: readonly string[];
  readonly isComplete: boolean;
}

/** The message of the document, and all that it builds on: at most `limit`. One store query per level. */
export async function linkedMessages(
  { records, policyId }: Pick<TrustDeps, 'records' | 'policyId'>,
  document: DocumentRecord,
  limit = TRUST_CHAIN_LINKS,
): Promise<LinkedMessages> {
  const messagesById = new Map<string, LedgerMessage>();
  const missing = new Set<string>();
  const { messageId, relationships = [] } = document;
  let wanted = [...new Set([...(messageId ? [messageId] : []), ...relationships])];
  while (wanted.length > 0) {
    const batch = wanted.slice(0, limit - messagesById.size);
    if (batch.length === 0) return { messages: messagesById, missing: [...missing], isComplete: false };
    const messages = await records.find('ledger-message', policyId, { where: { path: 'id', op: 'in', value: batch } });
    for (const message of messages) messagesById.set(message.id, message);
    for (const id of batch) if (!messagesById.has(id)) missing.add(id);
    const next = [...wanted.slice(batch.length), ...messages.flatMap((message) => message.relationships)];
    wanted = [...new Set(next)].filter((id) => !messagesById.has(id) && !missing.has(id));
  }
  return { messages: messagesById, missing: [...missing], isComplete: true };
}

async function documentsOf(
  { records, policyId }: TrustDeps,
  messageIds: readonly string[],
): Promise<Map<string, DocumentRecord>> {
  const where = { path: 'messageId', op: 'in', value: messageIds } as const;
  const documents = await records.find('document', policyId, { where });
  return new Map(documents.flatMap((document) => (document.messageId ? [[document.messageId, document]] : [])));
}

type Describe = (message: LedgerMessage | undefined, document: DocumentRecord | undefined) => Promise<TrustLink>;

function linkDescriber(deps: TrustDeps, chain: ReadonlySet<string>): Describe {
  const { records, clock, policyId, linkedHash } = deps;
  const rolesOf = roleReader(deps);
  return async (message, document) => {
    const signer = signerOf(document) ?? message?.owner ?? '';
    const relationships = document?.relationships ?? message?.relationships ?? [];
    const { body: _, ...facts } = message ?? { body: null };
    return {
      messageId: message?.id ?? document?.messageId ?? null,
      ...(message && { message: facts as Omit<LedgerMessage, 'body'> }),
      ...(document && {
        document,
        proof: await verifyDocument(document.document, { records, now: clock.now(), stored: true, linkedHash }),
      }),
      signer,
      roles: await rolesOf(signer),
      mints: document === undefined ? [] : await mintsOf(records, policyId, document),
      buildsOn: relationships.filter((id) => chain.has(id)),
    };
  };
}

export const signerOf = (document: Pick<DocumentRecord, 'document'> | undefined): string | undefined =>
  document && (identityIn(document.document.issuer) ?? identityIn(document.document.holder));

/** Looks up each identity only once. */
function roleReader({ records, policyId, owner }: TrustDeps): (did: string) => Promise<string[]> {
  const rolesByDid = new Map<string, Promise<string[]>>();
  const read = async (did: string): Promise<string[]> => {
    const memberships = await records.find('membership', policyId, { where: equalTo('did', did) });
    return [...(did === owner ? ['OWNER'] : []), ...new Set(memberships.map(({ role }) => role))];
  };
  return (did) => {
    const roles = rolesByDid.get(did) ?? read(did);
    rolesByDid.set(did, roles);
    return roles;
  };
}

/** The memo of a mint starts with the message of its presentation. */
export async function mintsOf(
  records: RecordReader,
  policyId: string,
  { dataType, messageId }: DocumentRecord,
): Promise<LedgerEffect[]> {
  if (dataType !== 'vp-documents' || !messageId) return [];
  const named = [
    { path: 'memo', op: 'gte', value: messageId },
    { path: 'memo', op: 'lt', value: `${messageId}!` },
  ] as const;
  return records.find('ledger-effect', policyId, { where: { all: [equalTo('type', 'mint'), ...named] } });
}
