/** Credentials: signed documents and the keys behind them. */
export { boundedJson, type Bounded } from './bounded-json.js';
export { documentHash } from './document-hash.js';
export { credentialOf, isCredential, presentationOf, type CredentialContent } from './envelope.js';
export { identityDocument, type IdentityRecords } from './identity-document.js';
export { newIdentity, signingIdentity, type SigningIdentity } from './signing-identity.js';
export { createProof, type ProofRequest } from './proof.js';
export type { ProofPurpose } from './proof-options.js';
export type { Verdict } from './verdict.js';
export { CREDENTIALS_AT_MOST, verifyDocument } from './verify-document.js';
