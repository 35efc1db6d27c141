/** Gathers the proof bundle of a document. */
import { hash } from 'node:crypto';
import type { BlockRegistry, OpenPolicy } from '../../../catalog/index.js';
import { PolicyDefinitions, PolicyLedger, publishedContexts } from '../../../context/index.js';
import { createProof, documentHash, hasLinkedProof, signingIdentity } from '../../../credentials/index.js';
import { BlockworkError, isBlockworkError } from '../../../errors.js';
import { publicConfiguration } from '../../../policy/index.js';
import { isoNow, type Clock, type Keys, type Ledger, type LinkedContext } from '../../../ports/index.js';
import { allOf, canonicalJson, equalTo, isObject, jsonBytes, statusIs } from '../../../records/index.js';
import type { DocumentRecord, JsonObject, LedgerEffect, LedgerMessage } from '../../../records/index.js';
import type { RecordReader } from '../../../transactions/index.js';
import { linkedMessages, mintsOf } from '../trust-chain.js';
import { loggedEntries } from './logged.js';
import { BUNDLE_LINKS, credentialsIn, documentsAt, type Links, signersOf, tooLarge } from './signers.js';
import {
  BUNDLE_FORMAT,
  type BundledDocument,
  type BundledMessage,
  type BundledMint,
  type BundledPolicy,
  type BundledSchema,
  type BundledToken,
  type BundleSeal,
  type ProofBundle,
} from './proof-bundle.js';

export interface BundleDeps {
  readonly store: RecordReader;
  readonly clock: Clock;
  readonly runDeps: { readonly registry: BlockRegistry; readonly keys: Keys };
  readonly externalLedger: Ledger | null;
  readonly limits: { readonly pageBytes: number };
}

export interface BundleOptions {
  /** Number of entries of the journal's log in a checkpoint that somebody kept. */
  readonly since?: number | undefined;
}

/** Maximum mints and wipes listed of one token. */
const BOOK_ENTRIES = 10_000;

/**
 * Throws `BUNDLE_TOO_LARGE`, `LOG_SHORTER`, `LOG_UNKNOWN`, `KEY_UNAVAILABLE`, `INPUT_INVALID` and, above the bytes of a page,
 * `PAGE_TOO_LARGE`.
 */
export async function makeBundle(
  deps: BundleDeps,
  policy: OpenPolicy,
  document: DocumentRecord,
  { kind, since }: BundleOptions & { readonly kind: ProofBundle['about']['kind'] },
): Promise<ProofBundle> {
  const { store, clock } = deps;
  const { messages, documents, missing } = await linksOf(deps, policy, document);
  const { roles, proofs, identities } = await signersOf(deps, policy, documents);
  const sent = new Map([...proofs.messages, ...messages].map((message) => [message.id, message]));
  const effects = await mintsOf(store, policy.id, document);
  const all = [...proofs.documents, ...documents];
  const { externalLedger, runDeps } = deps;
  const facts = { store, keys: runDeps.keys, externalLedger, policyId: policy.id, since };
  const log = await loggedEntries(facts, all);
  const contexts = await contextsOf(new PolicyDefinitions(store, policy), all);
  const content: Omit<ProofBundle, 'seal'> = {
    format: BUNDLE_FORMAT,
    created: isoNow(clock),
    about: { kind, documentId: document.id },
    policy: policyOf(policy, deps.runDeps.registry),
    schemas: await schemasOf(store, policy, all),
    ...(contexts !== undefined && { contexts }),
    identities,
    roles,
    documents: all.map((each) => documentOf(each, sent)),
    messages: await messagesOf(deps, policy, [...sent.values()]),
    mints: effects.map(mintOf),
    tokens: await tokensOf(store, policy.id, effects, document.document),
    missing,
    ...(log !== undefined && { log }),
  };
  const bundle = { ...content, seal: await sealOf(deps, policy.record.owner, content) };
  if (jsonBytes(bundle) > deps.limits.pageBytes) {
    throw new BlockworkError('PAGE_TOO_LARGE', { facts: { limit: deps.limits.pageBytes } });
  }
  return bundle;
}

/** The document comes last. */
async function linksOf(
  deps: BundleDeps,
  { id: policyId }: OpenPolicy,
  document: DocumentRecord,
): Promise<Links & { readonly missing: readonly string[] }> {
  const { store } = deps;
  const {
    messages: messagesById,
    missing,
    isComplete,
  } = await linkedMessages({ records: store, policyId }, document, BUNDLE_LINKS);
  if (!isComplete) throw tooLarge();
  const messages = [...messagesById.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const others = await documentsAt(
    deps,
    policyId,
    [...messagesById.keys()].filter((id) => id !== document.messageId),
  );
  // A document that was issued anew from another may still name the other's message, which does not stand for it.
  const standing = others.filter((each) => standsFor(messagesById.get(each.messageId ?? ''), each));
  return { messages, documents: [...standing, document], missing };
}

const standsFor = (message: Pick<LedgerMessage, 'hash'> | undefined, { document }: DocumentRecord): boolean =>
  message === undefined || message.hash === '' || message.hash === documentHash(document);

function policyOf({ record, tree }: OpenPolicy, registry: BlockRegistry): BundledPolicy {
  const { id, uuid, name, version, status, owner, policyTag, topicId, messageId } = record;
  const definition = publicConfiguration(tree.root.source, registry);
  const facts = { id, uuid, name, version, status, owner, policyTag, topicId, messageId };
  return { ...facts, definition, hash: hashOf(definition) };
}

async function schemasOf(
  store: RecordReader,
  policy: OpenPolicy,
  documents: readonly DocumentRecord[],
): Promise<BundledSchema[]> {
  const definitions = new PolicyDefinitions(store, policy);
  const iris = new Set(
    documents.flatMap(({ schema, document }) => [...(schema ? [schema] : []), ...typesIn(document)]),
  );
  const schemas = await Promise.all([...iris].map((iri) => definitions.schema(iri)));
  return schemas.flatMap((schema) => {
    if (schema === undefined) return [];
    const { id, name, document, source } = schema;
    return { id, name, context: typeof source['contextURL'] === 'string' ? source['contextURL'] : '', document };
  });
}

/** Each once; `undefined` if no proof is one of linked data. */
async function contextsOf(
  definitions: PolicyDefinitions,
  documents: readonly DocumentRecord[],
): Promise<LinkedContext[] | undefined> {
  // A presentation may hold a credential beside it that is no linked data.
  const linked = documents.flatMap(({ document }) => [document, ...credentialsIn(document)].filter(hasLinkedProof));
  if (linked.length === 0) return undefined;
  const found = await Promise.all(linked.map((document) => publishedContexts(document, definitions)));
  return [...new Map(found.flat().map((context) => [context.address, context])).values()];
}

/** The IRIs of the schemas that the subjects name as their type. */
function typesIn(document: JsonObject): string[] {
  const { credentialSubject: subjects = [] } = document;
  const own = (Array.isArray(subjects) ? subjects : [subjects]).flatMap((subject) =>
    isObject(subject) && typeof subject.type === 'string' ? `#${subject.type}` : [],
  );
  return [...own, ...credentialsIn(document).flatMap(typesIn)];
}

function documentOf(record: DocumentRecord, sent: ReadonlyMap<string, LedgerMessage>): BundledDocument {
  const { id, schema, type, relationships = [], document } = record;
  const messageId = standsFor(sent.get(record.messageId ?? ''), record) ? record.messageId : undefined;
  return {
    id,
    ...(schema ? { schema } : {}),
    ...(type === undefined ? {} : { type }),
    ...(messageId ? { messageId } : {}),
    relationships,
    document,
  };
}

/** What the external ledger calls them, once it has them. A trial's never get there. */
function messagesOf(
  { externalLedger }: BundleDeps,
  { id: policyId, record: { status } }: OpenPolicy,
  messages: readonly LedgerMessage[],
): Promise<BundledMessage[]> {
  const ids = statusIs(status, 'trial') ? undefined : externalLedger?.ids;
  return Promise.all(
    messages.map(async ({ body: _, ...facts }) => {
      const ledgerId = await ids?.idOf(policyId, 'message', facts.id);
      return ledgerId === undefined ? facts : { ...facts, ledgerId };
    }),
  );
}

function mintOf(effect: LedgerEffect): BundledMint {
  const { id, tokenId, accountId, units, amount, serials, memo } = effect;
  const facts = {
    id,
    tokenId,
    accountId,
    units,
    amount,
    serials,
    memo,
  };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as unknown as BundledMint;
}

async function tokensOf(
  store: RecordReader,
  policyId: string,
  mints: readonly LedgerEffect[],
  presentation: JsonObject,
): Promise<BundledToken[]> {
  const ids = [...new Set(mints.flatMap(({ tokenId }) => tokenId ?? []))];
  const tokens = await Promise.all(ids.map((id) => new PolicyLedger(store, policyId).token(id)));
  return Promise.all(
    tokens
      .flatMap((token) => (token === undefined ? [] : [token]))
      .map(async (token) => {
        const { id, ledgerId, tokenName, tokenSymbol, tokenType, decimals, supply } = token;
        const where = allOf(equalTo('tokenId', id), { any: [equalTo('type', 'mint'), equalTo('type', 'wipe')] });
        const entries = await store.find('ledger-effect', policyId, { where, limit: BOOK_ENTRIES + 1 });
        const entriesOfLedger = entries.map((entry) => ({
          id: entry.id,
          type: entry.type === 'wipe' ? ('wipe' as const) : ('mint' as const),
          units: entry.units ?? '0',
        }));
        return {
          id,
          ...(ledgerId !== undefined && namesToken(presentation, ledgerId) && { ledgerId }),
          tokenName,
          tokenSymbol,
          tokenType,
          decimals,
          supply,
          book: entriesOfLedger.length > BOOK_ENTRIES ? null : entriesOfLedger,
        };
      }),
  );
}

/** Whether the evidence names this id: that of an earlier mint names the book's. */
const namesToken = (presentation: JsonObject, tokenId: string): boolean =>
  credentialsIn(presentation)
    .flatMap(({ credentialSubject: subject = [] }) => (Array.isArray(subject) ? subject : [subject]))
    .some((subject) => isObject(subject) && subject['tokenId'] === tokenId);

/** Signs with the owner's key where this instance holds it. Stores nothing, since a read changes nothing. */
async function sealOf(
  { store, clock, runDeps }: BundleDeps,
  owner: string,
  content: Omit<ProofBundle, 'seal'>,
): Promise<BundleSeal> {
  const digest = hashOf(content);
  try {
    const { verificationMethod, sign, changed } = await signingIdentity(store, runDeps.keys, owner);
    // A key that is stored nowhere yet is one that nobody could find.
    if (changed !== undefined) return { digest };
    const request = { verificationMethod, created: isoNow(clock), purpose: 'assertionMethod', sign } as const;
    return { digest, proof: await createProof({ type: 'BlockworkBundle', digest }, request) };
  } catch (error) {
    if (isBlockworkError(error, 'KEY_UNAVAILABLE')) return { digest };
    throw error;
  }
}

const hashOf = (value: object): string => hash('sha256', canonicalJson(value), 'hex');
