/** Credentials: signed documents and the keys behind them. */
export { boundedJson } from './bounded-json.js';
export { documentHash } from './document-hash.js';
export { credentialOf, identityIn, isCredential, linkedEnvelope, presentationOf } from './envelope.js';
export { foreignIdentities } from './foreign-keys.js';
export { documentOf, identityDocument } from './identity-document.js';
export { publishedDocument, readKeyRegistration, type KeyRegistration } from './identity-keys.js';
export { keyNamedBy, publicKeyObject, toDidKey } from './multikey.js';
export { hasLinkedProof, LINKED_PROOF, type LinkedHash } from './linked-proof.js';
export { publishedRootDocument, rootDocument, rootDocumentOf } from './root-document.js';
export { createLinkedProof, createProof, type ProofRequest, signedHash } from './proof.js';
export { newIdentity, signingIdentity, type SigningIdentity } from './signing-identity.js';
export { VALID, type Verdict } from './verdict.js';
export { CREDENTIALS_AT_MOST, verifyDocument } from './verify-document.js';
