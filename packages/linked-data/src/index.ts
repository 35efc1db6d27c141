/** Hashes documents as linked data, in Node.js and in browsers, for proofs of the suite `Ed25519Signature2018`. */
export { contextsOf, type LinkedContext } from './contexts.js';
export { LinkedDataError } from './linked-data-error.js';
export { linkedData, type LinkedDataHasher } from './linked-data.js';
