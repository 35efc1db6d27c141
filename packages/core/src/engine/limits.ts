/** The limits of an engine: on everything that comes from outside, and on what it keeps at hand. */
import { checkOptions, optionTypes, withDefaults, type OptionShape } from '../options/index.js';

export interface EngineLimits {
  /** Events in one run. */
  readonly hops: number;
  /** Milliseconds for one run. */
  readonly runMs: number;
  /** Milliseconds, at least, until a block that failed is tried again, where its policy asks for it. */
  readonly retryMs: number;
  /** How often it is tried again before it is given up. */
  readonly retries: number;
  /** How often a unit of work is run again when another process changed the policy at the same moment. */
  readonly conflictRetries: number;
  /** Compiled policies kept in memory; others are compiled again when they are needed. */
  readonly openPolicies: number;
  /** Characters of answers kept as text, until the policy that they come from changes. */
  readonly answerCharacters: number;
  /** The largest page that a caller may ask for. */
  readonly itemsPerPage: number;
  /** Milliseconds that a request between instances stays open at most. */
  readonly requestMs: number;
  /** Milliseconds after that until this instance gives up waiting for how it ended. */
  readonly answerMs: number;
  /** Characters of a signed message between instances. */
  readonly messageCharacters: number;
  /** Milliseconds, in a store that several processes share, until the others take over what a process has left that died. */
  readonly leaseMs: number;
  /** Notifications in the inbox of one person; the oldest give way. */
  readonly notifications: number;
}

export const defaultEngineLimits: EngineLimits = {
  hops: 10_000,
  runMs: 30_000,
  retryMs: 1_000,
  retries: 100,
  conflictRetries: 20,
  openPolicies: 100,
  answerCharacters: 64 * 1024 * 1024,
  itemsPerPage: 1000,
  requestMs: 7 * 24 * 3_600_000,
  answerMs: 24 * 3_600_000,
  messageCharacters: 720 * 1024,
  leaseMs: 6_000,
  notifications: 1_000,
};

/** The defaults with some of them replaced. Throws `OPTION_INVALID`. */
export function engineLimits(limits: Partial<EngineLimits> = {}): EngineLimits {
  checkOptions(limits, shape, 'limits.');
  return withDefaults(limits, defaultEngineLimits);
}

const amount = optionTypes.wholeNumber(1);

const shape: OptionShape<EngineLimits> = {
  hops: amount,
  runMs: amount,
  retryMs: amount,
  retries: amount,
  conflictRetries: amount,
  openPolicies: amount,
  answerCharacters: amount,
  itemsPerPage: amount,
  requestMs: amount,
  answerMs: amount,
  messageCharacters: amount,
  leaseMs: amount,
  notifications: amount,
};
