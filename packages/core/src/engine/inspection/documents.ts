/** A policy's documents, for its owner and auditors: proofs and provenance. */
import type { Caller } from '../../access/index.js';
import type { PastState } from '../../block-api/index.js';
import type { CompiledPolicyCache } from '../../catalog/index.js';
import { linkedHash, PolicyDefinitions, PolicyDocuments } from '../../context/index.js';
import { type LinkedHash, verifyDocument, type Verdict } from '../../credentials/index.js';
import { BlockworkError } from '../../errors.js';
import { demandOptions } from '../../options/index.js';
import type { Clock, Ledger } from '../../ports/index.js';
import { allOf, equalTo } from '../../records/index.js';
import type {
  Condition,
  DocumentCollection,
  DocumentRecord,
  LedgerEffect,
  LedgerMessage,
} from '../../records/index.js';
import { derivationOf, type DocumentDerivation, type ReadScopeDeps } from '../../runtime/index.js';
import type { RecordReader } from '../../transactions/index.js';
import type { Gate } from '../gate.js';
import type { EngineLimits } from '../limits.js';
import { boundedRange, pageOf, type ListPage, type Range } from '../page.js';
import type { PolicySight } from '../people/policy-sight.js';
import { type BundleOptions, makeBundle } from './bundle/make-bundle.js';
import type { ProofBundle } from './bundle/proof-bundle.js';
import { auditedPolicy } from './own-policy.js';
import { mintsOf, trustChainOf, type TrustChain } from './trust-chain.js';

/** All given criteria must match. */
export interface DocumentQuery extends Range {
  readonly dataType?: DocumentCollection | undefined;
  /** The schema's IRI. */
  readonly schema?: string | undefined;
  /** The entity type. */
  readonly type?: string | undefined;
  readonly owner?: string | undefined;
  /** `option.status`. */
  readonly status?: string | undefined;
  /** Default: `oldest` first. */
  readonly from?: 'oldest' | 'newest' | undefined;
}

export interface DocumentDetails {
  readonly document: DocumentRecord;
  /** Result of verifying the signature now. */
  readonly proof: Verdict;
  /** Past values of `option`, oldest first. */
  readonly history: readonly PastState[];
  /** The ledger messages it builds on, if the policy's book has them. */
  readonly buildsOn: readonly LedgerMessage[];
  /** The first hundred ledger messages that build on it. */
  readonly usedBy: readonly LedgerMessage[];
  /** Mints for the document; only for presentations. */
  readonly mints: readonly LedgerEffect[];
}

export interface DocumentsDeps {
  readonly store: RecordReader;
  readonly policies: CompiledPolicyCache;
  readonly sight: PolicySight;
  readonly clock: Clock;
  readonly runDeps: ReadScopeDeps;
  readonly externalLedger: Ledger | null;
  readonly limits: Pick<EngineLimits, 'pageBytes'>;
}

const USERS_AT_MOST = 100;

/**
 * Auditors (`POLICIES_POLICY_AUDIT`) can inspect every published policy, owners (`POLICIES_POLICY_MANAGE`) their own.
 * Every method throws `PERMISSION_DENIED`, `POLICY_UNKNOWN`, `POLICY_NOT_OWNED`, `ENGINE_CLOSED`.
 */
export class Documents {
  constructor(
    private readonly gate: Gate,
    private readonly deps: DocumentsDeps,
  ) {}

  /**
   * A page of documents, 100 by default. Throws `INPUT_INVALID` for a limit above 1000, `PAGE_TOO_LARGE` for a first document
   * above it, and the errors common to all methods, such as `ENGINE_CLOSED`.
   *
   * @example const { items } = await engine.documents.list(owner, policyId, { limit: 10 });
   */
  async list(caller: Caller, policyId: string, query: DocumentQuery = {}): Promise<ListPage<DocumentRecord>> {
    const { store, sight, limits } = this.deps;
    await auditedPolicy(this.gate, sight, caller, policyId);
    demandOptions(query, 'documents.list', 'query');
    const where = condition(query);
    const order = query.from === 'newest' ? ({ path: 'createDate', direction: 'desc' } as const) : undefined;
    const range = { ...boundedRange(query), ...(order && { order }), bytes: limits.pageBytes };
    return pageOf(store, 'document', policyId, { ...range, where });
  }

  /**
   * One document with its verified proof, relations and mints. Throws `DOCUMENT_UNKNOWN`, and the errors common to all
   * methods, such as `ENGINE_CLOSED`.
   *
   * @example const { document } = await engine.documents.get(owner, policyId, documentId);
   */
  async get(caller: Caller, policyId: string, documentId: string): Promise<DocumentDetails> {
    const document = await this.#document(caller, policyId, documentId);
    const { store, clock } = this.deps;
    const { messageId, relationships = [] } = document;
    const linkedHash = await this.#linkedHash(policyId);
    const [proof, history, buildsOn, usedBy, mints] = await Promise.all([
      verifyDocument(document.document, { records: store, now: clock.now(), stored: true, linkedHash }),
      new PolicyDocuments(store, policyId).history(document),
      store.find('ledger-message', policyId, { where: { path: 'id', op: 'in', value: relationships } }),
      messageId
        ? store.find('ledger-message', policyId, { where: equalTo('relationships', messageId), limit: USERS_AT_MOST })
        : [],
      mintsOf(store, policyId, document),
    ]);
    return { document, proof, history, buildsOn, usedBy, mints };
  }

  /**
   * Everything a document builds on, directly or indirectly, back to the first registrations: messages, documents,
   * their signers and roles, whether their proofs are valid, and mints. Throws as `get`.
   *
   * @example const chain = await engine.documents.trustChain(owner, policyId, documentId);
   */
  async trustChain(caller: Caller, policyId: string, documentId: string): Promise<TrustChain> {
    const document = await this.#document(caller, policyId, documentId);
    const { record } = await this.deps.policies.open(policyId);
    const linkedHash = await this.#linkedHash(policyId);
    const deps = { ...this.deps, records: this.deps.store, policyId, owner: record.owner, linkedHash };
    return trustChainOf(deps, document);
  }

  /**
   * How the fields of a calculated document were derived: the creating block, source documents, formulas and values.
   * Formulas are re-evaluated, so this also shows whether the document still matches; scripts are shown but not run.
   * Throws `PAGE_TOO_LARGE`, and as `get`.
   *
   * @example const derivation = await engine.documents.derivation(owner, policyId, documentId);
   */
  async derivation(caller: Caller, policyId: string, documentId: string): Promise<DocumentDerivation> {
    const document = await this.#document(caller, policyId, documentId);
    const { store, policies, runDeps, limits } = this.deps;
    const derivation = await derivationOf(await policies.open(policyId), document, store, runDeps);
    if (Buffer.byteLength(JSON.stringify(derivation)) > limits.pageBytes) {
      throw new BlockworkError('PAGE_TOO_LARGE', { facts: { limit: limits.pageBytes } });
    }
    return derivation;
  }

  /**
   * Everything needed to verify a document without this instance: the document and what it builds on, signers and their
   * roles, schemas, messages, mints and the policy's blocks. The document is given by its id or that of its ledger message.
   * Anyone can check the bundle with `blockwork verify`. With `since`, it proves that the journal's log continues the one with so
   * many entries. Throws `LOG_SHORTER`, `LOG_UNKNOWN`, `KEY_UNAVAILABLE` or `INPUT_INVALID` if that cannot be proven, `BUNDLE_TOO_LARGE`,
   * `PAGE_TOO_LARGE`, and as `get`.
   *
   * @example const bundle = await engine.documents.bundle(owner, policyId, documentId);
   */
  async bundle(
    caller: Caller,
    policyId: string,
    documentId: string,
    options: BundleOptions = {},
  ): Promise<ProofBundle> {
    await auditedPolicy(this.gate, this.deps.sight, caller, policyId);
    demandOptions(options, 'documents.bundle', 'options');
    const document = await namedDocument(this.deps.store, policyId, documentId);
    return makeBundle(this.deps, await this.deps.policies.open(policyId), document, { ...options, kind: 'document' });
  }

  async #linkedHash(policyId: string): Promise<LinkedHash | undefined> {
    const { policies, store, runDeps } = this.deps;
    if (runDeps.proofs.linkedData === null) return undefined;
    return linkedHash(runDeps.proofs, new PolicyDefinitions(store, await policies.open(policyId)));
  }

  async #document(caller: Caller, policyId: string, documentId: string): Promise<DocumentRecord> {
    await auditedPolicy(this.gate, this.deps.sight, caller, policyId);
    const document = await this.deps.store.get('document', policyId, documentId);
    if (document === undefined) throw new BlockworkError('DOCUMENT_UNKNOWN', { facts: { policyId, documentId } });
    return document;
  }
}

/** By its id, or the id of its ledger message. Throws `DOCUMENT_UNKNOWN`. */
export async function namedDocument(store: RecordReader, policyId: string, name: string): Promise<DocumentRecord> {
  const document =
    (await store.get('document', policyId, name)) ??
    (await store.find('document', policyId, { where: equalTo('messageId', name), limit: 1 }))[0];
  if (document !== undefined) return document;
  throw new BlockworkError('DOCUMENT_UNKNOWN', { facts: { policyId, documentId: name } });
}

function condition({ dataType, schema, type, owner, status }: DocumentQuery): Condition {
  const wanted = Object.entries({ dataType, schema, type, owner, 'option.status': status });
  return allOf(...wanted.flatMap(([path, value]) => (value === undefined ? [] : [equalTo(path, value)])));
}
