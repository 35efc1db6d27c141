/** Ports: the interfaces that adapters implement. */
export * from './policy-store.js';
export * from './coordination.js';
export * from './indexed-paths.js';
export * from './clock.js';
export * from './ids.js';
export * from './logger.js';
export * from './inspector.js';
export * from './link.js';
export * from './ledger.js';
export * from './keys.js';
export * from './accounts.js';
export * from './timers.js';
export * from './backoff.js';
export * from './credential-signer.js';
export * from './tool-source.js';
export * from './notifications.js';
