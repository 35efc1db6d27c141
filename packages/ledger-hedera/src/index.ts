/** `@blockwork/ledger-hedera`: settles the effects of policies on Hedera. */
export { openHederaLedger } from './open-hedera-ledger.js';
export type { HederaLedger } from './hedera-ledger.js';
export { ed25519Signer, type Signer } from './wire/signer.js';
export type { FileStore } from './files/file-store.js';
export { kuboFiles, type KuboFilesOptions } from './files/kubo-files.js';
export type { HederaLedgerOptions } from './options.js';
