/** Faults planted into the code under test: each replaces one passage of one file while the simulator is bundled. */

/**
 * @typedef {object} EnginePlant
 * @property {string} what
 * @property {string} file below `packages`
 * @property {string} passage occurs once in the file
 * @property {string} instead
 */

/** @type {Readonly<Record<string, EnginePlant>>} */
export const enginePlants = {
  'cache-of-another-history': {
    what: 'Cached records are kept when the database is in another history.',
    file: 'core/src/transactions/cache/record-caches.ts',
    passage: 'if (present === this.#history) return;',
    instead: 'this.#history = present; return;',
  },
  'tick-without-check': {
    what: 'A node carries out a timer without looking whether another one has moved it since.',
    file: 'core/src/runtime/block-timers.ts',
    passage: 'if (present?.due !== due) return undefined;',
    instead: 'if (present === undefined) return undefined;',
  },
  'effect-removed-first': {
    what: 'An effect is removed from the outbox before the ledger has it.',
    file: 'core/src/background/ledger-outbox.ts',
    passage: 'await this.#settleEffect(pending);\n    } catch',
    instead: 'await this.#remove(pending);\n      await this.#settleEffect(pending);\n    } catch',
  },
  'stale-answers': {
    what: 'A cached answer is given without comparing the revisions that it depends on.',
    file: 'core/src/catalog/answer-cache.ts',
    passage: 'if (cached && isSame(cached.revisions, before) &&',
    instead: 'if (cached &&',
  },
  'answered-before-commit': {
    what: 'A send is answered before its commit.',
    file: 'core/src/transactions/group-commit.ts',
    passage: 'this.#ready.push(finished);\n    if (',
    instead: 'this.#ready.push(finished);\n    finished.job.end(finished.outcome);\n    if (',
  },
  'request-decided-twice': {
    what: 'A request that is closed can be closed again.',
    file: 'core/src/requests/request-state.ts',
    passage: "if (status !== 'NEW') throw",
    instead: 'if (status === undefined) throw',
  },
  'request-opened-twice': {
    what: 'A message that comes again opens another request.',
    file: 'core/src/requests/inbox.ts',
    passage: 'if (request !== undefined) return { request, isNew: false };',
    instead: '',
  },
  'journal-not-flushed': {
    what: 'The file store acknowledges commits that it has not flushed.',
    file: 'store-lowdb/src/journal/journal.ts',
    passage: 'else if (!segment.syncsWrites) await this.#flush(segment);',
    instead: '',
  },
  'receipt-not-read': {
    what: 'A send with an idempotency key runs again although there is a receipt.',
    file: 'core/src/runtime/idempotent-sends.ts',
    passage: 'if (receipt !== undefined && receipt.expires > this.deps.clock.now()) {',
    instead: 'if (receipt !== undefined && receipt.expires < 0) {',
  },
};

/**
 * Breakages that change nothing that a caller can see, because something else makes up for them: not found, and not faults.
 *
 * @type {Readonly<Record<string, EnginePlant>>}
 */
export const toleratedPlants = {
  'failed-group-not-rerun': {
    what: 'A unit that has read what a failed group wrote is not run again at once: its commit conflicts, and then it is.',
    file: 'core/src/transactions/executor.ts',
    passage: 'if (failures !== this.#group.failures) this.#queue.splice(this.#requeued, 0, job);',
    instead: 'if (failures < 0) this.#queue.splice(this.#requeued, 0, job);',
  },
  'message-removed-first': {
    what: 'A message counts as sent whatever the link says: the inquiries about open requests, and their end, make up for it.',
    file: 'core/src/background/message-outbox.ts',
    passage: "if (outcome.status === 'fulfilled') {",
    instead: "if (outcome.status === 'fulfilled' || outcome.status === 'rejected') {",
  },
};
