/** Inspecting policies: content, history, pending work, and explanations. */
export { Documents } from './documents.js';
export { Explanations } from './explanations.js';
export { Journal } from './journal.js';
export { JournalLog } from './journal-log.js';
export { OutsideLedger } from './outside-ledger.js';
export { Overview } from './overview.js';
export { Schemas } from './schemas.js';
export { PolicyTimers } from './timers.js';
export { Tokens } from './tokens.js';
export { PendingWork } from './pending-work.js';
