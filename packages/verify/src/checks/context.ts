/** What all checks share: the bundle, its indexes, and the outcome so far. */
import type { Bundle, Identity, Message, Stored } from '../contents/bundle.js';
import { canonical, isObject, type Json, type JsonObject, listOf, memberOf } from '../json.js';
import type { LinkedHash } from '../crypto/linked-proof.js';
import type { Findings } from '../report/report.js';

export interface Context {
  readonly bundle: Bundle;
  readonly findings: Findings;
  /** In milliseconds since 1970. */
  readonly now: number;
  /** `undefined` if proofs of linked data cannot be checked. */
  readonly linkedHash: LinkedHash | undefined;
  readonly byMessage: ReadonlyMap<string, Stored>;
  readonly messages: ReadonlyMap<string, Message>;
  readonly identities: ReadonlyMap<string, Identity>;
  /** What a credential says of its subjects, as canonical JSON. Written once, since many may be compared with each other. */
  readonly wordsOf: (credential: JsonObject) => string;
}

/** Hashes documents as linked data: `linkedData()` of `@blockwork/linked-data`. */
export interface LinkedData {
  hashes(
    parts: readonly JsonObject[],
    document: JsonObject,
    published: readonly { readonly address: string; readonly document: JsonObject }[],
  ): Promise<readonly Uint8Array[]>;
}

export function contextOf(bundle: Bundle, findings: Findings, now: number, linkedData?: LinkedData): Context {
  const words = new Map<JsonObject, string>();
  const { contexts = [] } = bundle;
  return {
    linkedHash: linkedData && ((parts, document) => linkedData.hashes(parts, document, contexts)),
    bundle,
    findings,
    now,
    wordsOf: (credential) => {
      const cached = words.get(credential) ?? canonical(subjectsOf(credential));
      words.set(credential, cached);
      return cached;
    },
    byMessage: new Map(
      bundle.documents.flatMap((each) => (each.messageId === undefined ? [] : [[each.messageId, each]])),
    ),
    messages: new Map(bundle.messages.map((each) => [each.id, each])),
    identities: new Map(bundle.identities.map((each) => [each.did, each])),
  };
}

/** How findings name a document. */
export const nameOf = ({ id, type }: Stored): string => `the document ${type === undefined ? '' : `"${type}" `}${id}`;

const hasType = ({ type }: JsonObject, wanted: string): boolean => listOf(type).includes(wanted);

export const isPresentation = (document: JsonObject): boolean => hasType(document, 'VerifiablePresentation');
export const isCredential = (document: JsonObject): boolean =>
  hasType(document, 'VerifiableCredential') && !isPresentation(document);

/** A DID document, which policies publish like documents. It is not signed: its keys are checked as those of its identity. */
export const isDidDocument = (document: JsonObject): boolean =>
  !isPresentation(document) && !isCredential(document) && Object.hasOwn(document, 'verificationMethod');

/** The credentials of a presentation. */
export const heldIn = (document: JsonObject): JsonObject[] =>
  listOf(memberOf(document, 'verifiableCredential')).filter(isObject);

/** The credential itself, or those of a presentation; none of a DID document. */
export const credentialsOf = (document: JsonObject): JsonObject[] =>
  isPresentation(document) ? heldIn(document) : isDidDocument(document) ? [] : [document];

export const subjectsOf = (credential: JsonObject): JsonObject[] =>
  listOf(memberOf(credential, 'credentialSubject')).filter(isObject);

/** The first subject of a credential, which is the one that policies compute with. */
export const subjectOf = (credential: JsonObject): JsonObject | undefined => subjectsOf(credential)[0];

/** An identity as documents name it: the DID, or an object with it. */
function identityIn(value: Json | undefined): string {
  const id = isObject(value) ? memberOf(value, 'id') : value;
  return typeof id === 'string' ? id : '';
}

export const signerOf = (document: JsonObject): string =>
  identityIn(memberOf(document, isPresentation(document) ? 'holder' : 'issuer'));

export const textAt = (object: JsonObject, name: string): string => {
  const value = memberOf(object, name);
  return typeof value === 'string' ? value : '';
};

/** When the document was issued, as its signer says; that of a presentation is in its proof. */
export function dateOf(document: JsonObject): string {
  const proof = memberOf(document, 'proof');
  return textAt(document, 'issuanceDate') || (isObject(proof) ? textAt(proof, 'created') : '');
}
