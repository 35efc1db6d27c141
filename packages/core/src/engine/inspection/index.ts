/** Inspecting policies: content, history, pending work, and explanations. */
export { Documents } from './documents.js';
export { Explanations } from './explanations.js';
export { Journal } from './journal.js';
export { Schemas } from './schemas.js';
export { PolicyTimers } from './timers.js';
export { Tokens } from './tokens.js';
export { Waiting } from './waiting.js';
