/** Atomic changes: units of work, the lanes they run in, and commit listeners. */
export { CachedReader } from './cache/cached-reader.js';
export { RecordCaches } from './cache/record-caches.js';
export { type CommitListener, CommitListeners, requestsIn } from './commit-listeners.js';
export { cutPage } from './cut-page.js';
export { type Committed, Executor } from './executor.js';
export type { GroupCompletion } from './group-completion.js';
export { GuardedCommits } from './guarded-commits.js';
export { lanes, type Lane, revisionKeys, type RevisionKey } from './revision-keys.js';
export { UnitOfWork, type RecordReader } from './unit-of-work.js';
