/** `@blockwork/store-postgres`: a policy store on PostgreSQL, for any number of processes over one database. */
export { openPostgresStore } from './open-postgres-store.js';
export { hostWork, type HostWorkOnClient } from './host/host-work.js';
export type { NodeNotifier } from './notifier/node-notifier.js';
export type { PostgresStore } from './postgres-store.js';
export type { PostgresStoreOptions } from './options.js';
export type { SnapshotOptions, SnapshotReader } from './query/snapshot.js';
export { createReportingViews, printReportingViews, type ReportingOptions } from './reporting/reporting-views.js';
export { printMigrations, type PrintOptions } from './schema/migrate.js';
export { migrateDatabase } from './tools/migrate-database.js';
export { openDatabaseCopy, type DatabaseCopy } from './tools/database-copy.js';
export { openDatabaseSource, type SourceOptions } from './tools/database-source.js';
export { verifyDatabase, type DatabaseDamage, type DatabaseVerification } from './tools/verify-database.js';
