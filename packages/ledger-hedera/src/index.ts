/** `@blockwork/ledger-hedera`: settles the effects of policies on Hedera, and reads what was published there. */
export { openHederaLedger } from './open-hedera-ledger.js';
export type { HederaLedger } from './hedera-ledger.js';
export { hederaDids, type HederaDidsOptions } from './forms/hedera-did.js';
export { ed25519Signer, type Signer } from './wire/signer.js';
export { cidOf } from './files/cid.js';
export type { FileStore } from './files/file-store.js';
export { kuboFiles, type KuboFilesOptions } from './files/kubo-files.js';
export type { HederaLedgerOptions } from './options.js';
export { gatewayFiles, type FileSource, type GatewayFilesOptions } from './reading/gateway-files.js';
export { openDids, type Dids, type DidsOptions, type PublishedDid } from './reading/dids.js';
export type { Publication } from './reading/publication.js';
export { openPublications, type Publications, type PublicationsOptions } from './reading/publications.js';
