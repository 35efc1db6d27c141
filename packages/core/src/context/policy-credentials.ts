/** A policy's credentials: issued and presented within a unit of work, verified against the identities in the store. */
import {
  boundedJson,
  credentialOf,
  CREDENTIALS_AT_MOST,
  createProof,
  documentHash,
  isCredential,
  newIdentity,
  presentationOf,
  signingIdentity,
  verifyDocument,
  type Verdict,
} from '../credentials/index.js';
import { BlockworkError, isBlockworkError } from '../errors.js';
import { isoNow, type Clock, type Ids, type Keys } from '../ports/index.js';
import { INSTANCE, NESTING_AT_MOST } from '../records/index.js';
import type { JsonObject } from '../records/index.js';
import type { CredentialInput, CredentialIssuer, CredentialVerifier, WorkBudget } from '../block-api/index.js';
import type { RecordReader, UnitOfWork } from '../transactions/index.js';

export interface CredentialDeps {
  readonly keys: Keys;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** What counts the documents that a unit of work makes, and lets other work run between them. */
export interface DocumentBudget extends Pick<WorkBudget, 'giveWay'> {
  made(document: JsonObject): void;
}

const unlimited: DocumentBudget = { giveWay: async () => undefined, made: () => undefined };

export class PolicyCredentials implements CredentialVerifier {
  constructor(
    private readonly records: RecordReader,
    protected readonly deps: CredentialDeps,
  ) {}

  verify(document: JsonObject): Promise<Verdict> {
    return verifyDocument(document, { records: this.records, now: this.deps.clock.now() });
  }

  verifyStored(document: JsonObject): Promise<Verdict> {
    return verifyDocument(document, { records: this.records, now: this.deps.clock.now(), stored: true });
  }

  hash(document: JsonObject): string {
    return documentHash(document);
  }
}

export class PolicyCredentialsWriter extends PolicyCredentials implements CredentialIssuer {
  constructor(
    private readonly unit: UnitOfWork,
    tools: CredentialDeps,
    private readonly budget: DocumentBudget = unlimited,
  ) {
    super(unit, tools);
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
    return this.#signed(credential, issuer, NESTING_AT_MOST);
  }

  /**
   * Bundles the credentials unchanged. Throws `KEY_UNAVAILABLE`, and `CREDENTIAL_INVALID` if one is not a credential.
   */
  async present(holder: string, credentials: readonly JsonObject[]): Promise<JsonObject> {
    if (credentials.length > CREDENTIALS_AT_MOST) {
      throw invalid(`a presentation holds at most ${String(CREDENTIALS_AT_MOST)} credentials`);
    }
    if (!credentials.every(isCredential)) throw invalid('a presentation holds credentials only');
    return this.#signed(presentationOf(this.deps.ids.uuid(), holder, credentials), holder);
  }

  async createIdentity(): Promise<{ did: string; document: JsonObject }> {
    const record = await newIdentity(this.deps.keys, this.deps.ids.uuid());
    this.unit.put('identity', INSTANCE, record);
    return { did: record.id, document: record.document };
  }

  async #signed(content: JsonObject, signer: string, depth?: number): Promise<JsonObject> {
    await this.budget.giveWay();
    if (signer === '') throw invalid('it has no signer');
    const bounded = boundedJson(content, depth);
    if ('reason' in bounded) throw invalid(bounded.reason);
    const { verificationMethod, sign, changed } = await signingIdentity(this.unit, this.deps.keys, signer);
    if (changed !== undefined) this.unit.put('identity', INSTANCE, changed);
    const request = {
      verificationMethod,
      created: isoNow(this.deps.clock),
      purpose: 'assertionMethod',
      sign,
    } as const;
    const signed = { ...bounded.value, proof: await createProof(bounded.value, request) };
    this.budget.made(signed);
    return signed;
  }
}

const invalid = (reason: string): BlockworkError => new BlockworkError('CREDENTIAL_INVALID', { facts: { reason } });
