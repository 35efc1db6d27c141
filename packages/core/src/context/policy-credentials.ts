/** A policy's credentials: issued and presented within a unit of work, verified against the identities in the store. */
import {
  boundedJson,
  credentialOf,
  CREDENTIALS_AT_MOST,
  createLinkedProof,
  createProof,
  documentHash,
  hasLinkedProof,
  isCredential,
  LINKED_PROOF,
  type LinkedHash,
  linkedEnvelope,
  newIdentity,
  presentationOf,
  type ProofRequest,
  rootDocument,
  signedHash,
  signingIdentity,
  VALID,
  verifyDocument,
  type Verdict,
} from '../credentials/index.js';
import { BlockworkError, isBlockworkError } from '../errors.js';
import { isoNow, type Clock, type DidMethod, type Ids, type Keys } from '../ports/index.js';
import { INSTANCE, NESTING_AT_MOST } from '../records/index.js';
import type { JsonObject } from '../records/index.js';
import type { CredentialInput, CredentialIssuer, CredentialVerifier, WorkBudget } from '../block-api/index.js';
import type { RecordReader, UnitOfWork } from '../transactions/index.js';
import { linkedHash, type Proofs, type SchemaSource } from './linked-hash.js';

export interface CredentialDeps {
  readonly keys: Keys;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Default: `eddsa-jcs-2022` only. */
  readonly proofs?: Proofs;
  /** Default: `did:key`. */
  readonly didMethod?: DidMethod | null;
}

/** What counts the documents that a unit of work makes, and lets other work run between them. */
export interface DocumentBudget extends Pick<WorkBudget, 'giveWay'> {
  /** One more, of so many bytes as JSON. */
  charge(bytes: number): void;
}

const unlimited: DocumentBudget = { giveWay: async () => undefined, charge: () => undefined };

export class PolicyCredentials implements CredentialVerifier {
  constructor(
    private readonly records: RecordReader,
    protected readonly deps: CredentialDeps,
    private readonly schemas: SchemaSource | null = null,
  ) {}

  verify(document: JsonObject): Promise<Verdict> {
    return verifyDocument(document, { ...this.#verification, stored: false });
  }

  verifyStored(document: JsonObject): Promise<Verdict> {
    return verifyDocument(document, { ...this.#verification, stored: true });
  }

  /** `undefined` if proofs of linked data cannot be made or verified. */
  protected get linkedHash(): LinkedHash | undefined {
    return linkedHash(this.deps.proofs, this.schemas);
  }

  get #verification() {
    return { records: this.records, now: this.deps.clock.now(), linkedHash: this.linkedHash };
  }

  hash(document: JsonObject): string {
    return documentHash(document);
  }

  async signedHash(document: JsonObject): Promise<string> {
    const bounded = boundedJson(document);
    if ('reason' in bounded) throw invalid(bounded.reason);
    return signedHash(bounded.value, this.linkedHash);
  }
}

export class PolicyCredentialsWriter extends PolicyCredentials implements CredentialIssuer {
  constructor(
    private readonly unit: UnitOfWork,
    tools: CredentialDeps,
    private readonly budget: DocumentBudget = unlimited,
    schemas: SchemaSource | null = null,
  ) {
    super(unit, tools, schemas);
  }

  /** The hash of a document that was made up in this unit is as new as its id, which it covers. */
  override hash(document: JsonObject): string {
    const hash = super.hash(document);
    if (typeof document.id === 'string' && this.unit.fresh.has(document.id)) this.unit.fresh.add(hash);
    return hash;
  }

  /** A credential that was signed in this unit, and is unchanged, is not verified again. */
  override verifyStored(document: JsonObject): Promise<Verdict> {
    return this.#isSignedHere(document) ? Promise.resolve(VALID) : super.verifyStored(document);
  }

  async holdsKeyOf(did: string): Promise<boolean> {
    try {
      await signingIdentity(this.unit, this.deps.keys, did);
      return true;
    } catch (error) {
      if (isBlockworkError(error, 'KEY_UNAVAILABLE')) return false;
      throw error;
    }
  }

  /** Throws `KEY_UNAVAILABLE`, and `CREDENTIAL_INVALID` if the content cannot be signed. */
  async issue({ issuer, group, subject, evidence }: CredentialInput): Promise<JsonObject> {
    const [uuid, issuanceDate] = [this.deps.ids.uuid(), isoNow(this.deps.clock)];
    const credential = credentialOf({ uuid, issuer, group, issuanceDate, subject, evidence });
    return this.#signed(credential, issuer, this.#signsLinked ? 'assertionMethod' : undefined, NESTING_AT_MOST);
  }

  /**
   * Bundles the credentials unchanged. Throws `KEY_UNAVAILABLE`, and `CREDENTIAL_INVALID` if one is not a credential.
   */
  async present(holder: string, credentials: readonly JsonObject[]): Promise<JsonObject> {
    if (credentials.length > CREDENTIALS_AT_MOST) {
      throw invalid(`a presentation holds at most ${String(CREDENTIALS_AT_MOST)} credentials`);
    }
    if (!credentials.every(isCredential)) throw invalid('a presentation holds credentials only');
    // A proof of linked data can only be made over credentials that can be read as such.
    const isLinked = this.#signsLinked && credentials.every(hasLinkedProof);
    const presentation = presentationOf(this.deps.ids.uuid(), holder, credentials);
    return this.#signed(presentation, holder, isLinked ? 'authentication' : undefined);
  }

  async createIdentity(): Promise<{ did: string; document: JsonObject }> {
    const record = await newIdentity(this.deps.keys, this.deps.ids.uuid(), this.deps.didMethod);
    this.unit.put('identity', INSTANCE, record);
    return { did: record.id, document: record.document };
  }

  rootDocument(did: string): Promise<JsonObject | undefined> {
    return rootDocument(this.unit, this.deps.keys, did);
  }

  get #signsLinked(): boolean {
    return this.deps.proofs?.suite === LINKED_PROOF;
  }

  /** `linked`: the purpose of a proof of linked data, if it gets one. */
  async #signed(
    content: JsonObject,
    signer: string,
    linked: 'assertionMethod' | 'authentication' | undefined,
    depth?: number,
  ): Promise<JsonObject> {
    await this.budget.giveWay();
    if (signer === '') throw invalid('it has no signer');
    const bounded = boundedJson(content, depth);
    if ('reason' in bounded) throw invalid(bounded.reason);
    const { verificationMethod, sign, changed } = await signingIdentity(this.unit, this.deps.keys, signer);
    if (changed !== undefined) this.unit.put('identity', INSTANCE, changed);
    const request = { verificationMethod, created: isoNow(this.deps.clock), sign };
    const proven = linked && (await this.#linkedDocument(bounded.value, { ...request, purpose: linked }));
    const signed = proven ?? bounded.value;
    if (proven === undefined) {
      bounded.value.proof = await createProof(bounded.value, { ...request, purpose: 'assertionMethod' });
    }
    const text = JSON.stringify(signed);
    this.budget.charge(Buffer.byteLength(text));
    // It has a generated id.
    if (typeof content.id === 'string') this.unit.fresh.add(content.id);
    this.#remember(signed, text);
    return signed;
  }

  /** `undefined` for what is no linked data, such as a subject with an id that is no address: the policy goes on. */
  async #linkedDocument(content: JsonObject, request: ProofRequest): Promise<JsonObject | undefined> {
    const hash = this.linkedHash;
    if (hash === undefined) return undefined;
    const whole = linkedEnvelope(content);
    try {
      return { ...whole, proof: await createLinkedProof(whole, request, hash) };
    } catch (error) {
      if (isBlockworkError(error, 'CREDENTIAL_INVALID')) return undefined;
      throw error;
    }
  }

  #remember(signed: JsonObject, text: string): void {
    const { signed: remembered } = this.unit;
    if (!isCredential(signed) || typeof signed.id !== 'string' || remembered.size >= SIGNED_AT_MOST) return;
    if (text.length <= SIGNED_LENGTH) remembered.set(signed.id, text);
  }

  #isSignedHere(document: unknown): boolean {
    const { signed } = this.unit;
    try {
      if (signed.size === 0 || !isCredential(document) || typeof document.id !== 'string') return false;
      return signed.get(document.id) === JSON.stringify(document);
    } catch {
      // It is no JSON.
      return false;
    }
  }
}

/** Number and length of the credentials that a unit remembers. */
const SIGNED_AT_MOST = 100;
const SIGNED_LENGTH = 64 * 1024;

const invalid = (reason: string): BlockworkError => new BlockworkError('CREDENTIAL_INVALID', { facts: { reason } });
