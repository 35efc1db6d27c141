/** Envelopes: unsigned credentials and presentations (Verifiable Credentials Data Model 1.1). */
import { isObject } from '../records/index.js';
import type { Json, JsonObject } from '../records/index.js';

const CREDENTIAL = 'VerifiableCredential';
const PRESENTATION = 'VerifiablePresentation';

/** Terms of the data model and of its proof. */
const CREDENTIALS = 'https://www.w3.org/2018/credentials/v1';
const CONTEXTS = [CREDENTIALS, 'https://w3id.org/security/data-integrity/v2'];

/** Gives terms of subjects without a schema a meaning, so that they are signed as linked data. */
const OPEN_CONTEXT = { '@vocab': 'https://w3id.org/traceability/#undefinedTerm' };

export interface CredentialContent {
  readonly uuid: string;
  readonly issuer: string;
  /** Group in whose name the issuer acts. */
  readonly group?: string | null | undefined;
  /** ISO 8601. */
  readonly issuanceDate: string;
  readonly subject: JsonObject;
  readonly evidence?: readonly Json[] | undefined;
}

/** Paths of policies look for the subject as the first element of a list, with its own `type` and `@context`. */
export const credentialOf = ({
  uuid,
  issuer,
  group,
  issuanceDate,
  subject,
  evidence,
}: CredentialContent): JsonObject => ({
  '@context': [...CONTEXTS],
  id: `urn:uuid:${uuid}`,
  type: [CREDENTIAL],
  issuer: group ? { id: issuer, group } : issuer,
  issuanceDate,
  credentialSubject: [subject],
  ...(evidence !== undefined && { evidence: [...evidence] }),
});

export const presentationOf = (uuid: string, holder: string, credentials: readonly JsonObject[]): JsonObject => ({
  '@context': [...CONTEXTS],
  id: `urn:uuid:${uuid}`,
  type: [PRESENTATION],
  holder,
  verifiableCredential: [...credentials],
});

/** The same envelope for a proof of linked data: with the contexts of its subjects, in which all that it says has a meaning. */
export function linkedEnvelope(document: JsonObject): JsonObject {
  const { credentialSubject: subjects = [] } = document;
  const own = [subjects].flat().flatMap((subject) => (isObject(subject) ? [subject['@context'] ?? []].flat() : []));
  const context = isPresentation(document) ? [] : own.length === 0 ? [OPEN_CONTEXT] : own;
  const all = [CREDENTIALS, ...context].filter((each, at, whole) => whole.indexOf(each) === at);
  return { ...document, '@context': all };
}

export const isCredential = (value: unknown): value is JsonObject =>
  isObject(value) && hasType(value, CREDENTIAL) && !hasType(value, PRESENTATION);

export const isPresentation = (value: unknown): value is JsonObject =>
  isObject(value) && hasType(value, PRESENTATION) && !hasType(value, CREDENTIAL);

const hasType = ({ type }: Record<string, unknown>, wanted: string): boolean =>
  Array.isArray(type) ? type.includes(wanted) : type === wanted;

/** An identity as documents name it: the DID, or an object with it. */
export function identityIn(value: Json | undefined): string | undefined {
  const id = isObject(value) ? value.id : value;
  return typeof id === 'string' && id !== '' ? id : undefined;
}
