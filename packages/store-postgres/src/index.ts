/** A policy store on PostgreSQL, for any number of processes over one database. */
export { openPostgresStore } from './open-postgres-store.js';
export type { Doorbell } from './doorbell/doorbell.js';
export type { PostgresStore } from './postgres-store.js';
export type { PostgresStoreOptions } from './options.js';
export type { SnapshotOptions, SnapshotReader } from './query/snapshot.js';
export { printMigrations, type PrintOptions } from './schema/migrate.js';
