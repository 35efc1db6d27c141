/** Vitest setup of every test file. */
import fc from 'fast-check';
import { beforeEach } from 'vitest';
import { printFailureNotes } from './failure-notes.js';
import { limitProperties } from './property-limits.js';

// The same inputs on every machine; `BLOCKWORK_SEED=random` looks for those that nobody has tried.
const seed = process.env['BLOCKWORK_SEED'] ?? '1';
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) });

beforeEach(({ task, onTestFailed }) => {
  onTestFailed(printFailureNotes);
  limitProperties(task.timeout);
});
