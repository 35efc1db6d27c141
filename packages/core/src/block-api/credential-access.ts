/** Verifying and issuing credentials from a block. */
import type { Json, JsonObject } from '../records/index.js';

export interface CredentialVerifier {
  /**
   * Checks the proof of a credential or presentation and of every credential in it; gives a reason if it is invalid.
   *
   * @example
   * const { verified, reason } = await ctx.credentials.verify(credential);
   * if (!verified) ctx.fail('CREDENTIAL_INVALID', { facts: { reason } });
   */
  verify(document: JsonObject): Promise<{ readonly verified: boolean; readonly reason: string }>;
  /**
   * Like `verify`, but for documents the policy has already accepted: a signature dated before its key was revoked
   * remains valid. Incoming data cannot be trusted to state its date, so check it with `verify`.
   *
   * @example
   * const { verified } = await ctx.credentials.verifyStored(certificate.document);
   * const status = verified ? certificate.option['status'] : 'Damaged';
   */
  verifyStored(document: JsonObject): Promise<{ readonly verified: boolean; readonly reason: string }>;
  /**
   * The document's hash, by which it is looked up; covers id, type, issuer and date (reference, section 6.2).
   *
   * @example
   * const hash = ctx.credentials.hash(credential);
   * const isDuplicate = (await ctx.documents.find({ path: 'hash', op: 'eq', value: hash }, { limit: 1 })).length > 0;
   */
  hash(document: JsonObject): string;
  /**
   * The hash of what the proof of a credential covers: the same however the JSON of the credential is written, which `hash` is not.
   * By it, what was accepted from outside is recognised. Throws `CREDENTIAL_INVALID` for what `verify` refuses as unreadable.
   *
   * @example
   * const id = await ctx.credentials.signedHash(credential);
   * if ((await ctx.entries.get(id)) !== undefined) ctx.fail('CREDENTIAL_INVALID', { facts: { reason: 'it was taken in already' } });
   */
  signedHash(document: JsonObject): Promise<string>;
}

export interface CredentialIssuer extends CredentialVerifier {
  /**
   * Whether this engine holds a signing key of the identity. It never holds the key of a `did:key` identity.
   *
   * @example const issuer = (await ctx.credentials.holdsKeyOf(ctx.user.did)) ? ctx.user.did : ctx.policy.owner;
   */
  holdsKeyOf(did: string): Promise<boolean>;
  /**
   * Issues a credential signed by `issuer`, whose key this engine must hold. Throws `KEY_UNAVAILABLE`.
   *
   * @example
   * const subject = { type: 'Certificate', meter: reading.meter, mWh: reading.kWh / 1000 };
   * const document = await ctx.credentials.issue({ issuer: ctx.policy.owner, subject, evidence: [messageId] });
   */
  issue(credential: CredentialInput): Promise<JsonObject>;
  /**
   * Bundles credentials into a presentation, signed by `holder`.
   *
   * @example
   * const certificates = await ctx.documents.find({ path: 'type', op: 'eq', value: 'certificate' });
   * const bundle = await ctx.credentials.present(ctx.policy.owner, certificates.map(({ document }) => document));
   */
  present(holder: string, credentials: readonly JsonObject[]): Promise<JsonObject>;
  /**
   * The DID document of a `did:hedera` for a topic, if the key that the DID is made of is known: kept here, or registered and not revoked.
   * `undefined` for all others, whose documents are not made up.
   *
   * @example
   * const document = await ctx.credentials.rootDocument(ctx.user.did);
   * if (document !== undefined) await ctx.ledger.publish({ topic: 'root', type: 'did-document', owner: ctx.user.did, document });
   */
  rootDocument(did: string): Promise<JsonObject | undefined>;
  /**
   * Creates an identity with a new key.
   *
   * @example
   * const { did, document } = await ctx.credentials.createIdentity();
   * await ctx.documents.add({ owner: ctx.user.did, type: 'meter', document: { ...document, id: did } });
   */
  createIdentity(): Promise<{ readonly did: string; readonly document: JsonObject }>;
}

export interface CredentialInput {
  readonly issuer: string;
  /** The group the issuer acts for. */
  readonly group?: string | null;
  /** Stored as the single element of `credentialSubject`. `type` and `@context` name its schema. */
  readonly subject: JsonObject;
  readonly evidence?: readonly Json[];
}
