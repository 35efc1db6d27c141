/** The limits of an engine: on everything that comes from outside, and on what it keeps at hand. */
import { checkOptions, optionTypes, withDefaults, type OptionShape } from '../options/index.js';

export interface EngineLimits {
  /** Events in one run. */
  readonly hops: number;
  /** Milliseconds for one run. */
  readonly runMs: number;
  /** Milliseconds for one read of a block. */
  readonly readMs: number;
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
  /** Characters of rows of grids kept as text, until the document that they show changes. */
  readonly rowCharacters: number;
  /** Bytes of records kept of policies, as JSON, where several processes share a store. */
  readonly keptRecordBytes: number;
  /** The largest page that a caller may ask for. */
  readonly itemsPerPage: number;
  /** Bytes of the documents or other records on one page, and of one answer of a block. */
  readonly pageBytes: number;
  /** Bytes of one document. */
  readonly documentBytes: number;
  /** Quotas of documents: of each policy, and of what each user owns in each policy. `Infinity`: none, which is the default. */
  readonly policyDocuments: number;
  readonly policyBytes: number;
  readonly userDocuments: number;
  readonly userBytes: number;
  /** Bytes of the records that one unit of work writes. */
  readonly unitBytes: number;
  /** Milliseconds that a request between instances stays open at most. */
  readonly requestMs: number;
  /** Milliseconds after that until this instance gives up waiting for how it ended. */
  readonly answerMs: number;
  /** Milliseconds that a closed request is kept. */
  readonly closedRequestMs: number;
  /** Open requests of one peer. */
  readonly peerRequests: number;
  /** Bytes of all requests of one peer that are kept, closed ones included. */
  readonly peerBytes: number;
  /** Characters of a signed message between instances. */
  readonly messageCharacters: number;
  /** Milliseconds, in a store that several processes share, until the others take over what a process has left that died. */
  readonly leaseMs: number;
  /** Milliseconds that a send with an idempotency key is remembered. */
  readonly receiptMs: number;
  /** Later units of work in the same policy after which it may be forgotten. */
  readonly receiptUnits: number;
  /** Characters of an answer, as JSON, that is remembered. */
  readonly receiptCharacters: number;
  /** Notifications in the inbox of one person; the oldest give way. */
  readonly notifications: number;
  /** Events of one peer in one stream that are kept; the oldest give way. */
  readonly streamEvents: number;
  /** Subscriptions to events at a time. */
  readonly eventSubscribers: number;
  /** Policies in one subscription. */
  readonly eventPolicies: number;
  /** Units that a subscriber may be behind in a policy; further behind, it gets a gap. */
  readonly eventBacklog: number;
  /** Webhooks of one policy. */
  readonly webhooks: number;
  /** Attempts to send one event to a webhook; the last ones are an hour apart. */
  readonly webhookAttempts: number;
  /** Events that one webhook has given up and keeps; the oldest give way. */
  readonly webhookDeadLetters: number;
  /** Keys that one member can register, revoked ones included. */
  readonly identityKeys: number;
  /** Revoked tokens that have not expired yet. */
  readonly revokedTokens: number;
  /** People of the trials of one policy. */
  readonly virtualUsers: number;
  /** Savepoints of one policy. */
  readonly savepoints: number;
  /** Bytes of the records in one savepoint. */
  readonly savepointBytes: number;
  /** Steps of one recording. */
  readonly recordedSteps: number;
  /** Bytes of the steps of one recording. */
  readonly recordingBytes: number;
  /** Entries in the journal of a policy, about; the oldest are moved into its archive. */
  readonly journalEntries: number;
}

export const defaultEngineLimits: EngineLimits = {
  hops: 10_000,
  runMs: 30_000,
  readMs: 30_000,
  retryMs: 1_000,
  retries: 100,
  conflictRetries: 20,
  openPolicies: 100,
  answerCharacters: 64 * 1024 * 1024,
  rowCharacters: 32 * 1024 * 1024,
  keptRecordBytes: 64 * 1024 * 1024,
  itemsPerPage: 1000,
  pageBytes: 16 * 1024 * 1024,
  documentBytes: 4 * 1024 * 1024,
  policyDocuments: Infinity,
  policyBytes: Infinity,
  userDocuments: Infinity,
  userBytes: Infinity,
  unitBytes: 64 * 1024 * 1024,
  requestMs: 7 * 24 * 3_600_000,
  answerMs: 24 * 3_600_000,
  closedRequestMs: 7 * 24 * 3_600_000,
  peerRequests: 1_000,
  peerBytes: 128 * 1024 * 1024,
  messageCharacters: 720 * 1024,
  leaseMs: 6_000,
  receiptMs: 24 * 3_600_000,
  receiptUnits: 10_000,
  receiptCharacters: 64 * 1024,
  notifications: 1_000,
  streamEvents: 250,
  eventSubscribers: 1_000,
  eventPolicies: 100,
  eventBacklog: 10_000,
  webhooks: 20,
  webhookAttempts: 25,
  webhookDeadLetters: 1_000,
  identityKeys: 10_000,
  revokedTokens: 10_000,
  virtualUsers: 100,
  savepoints: 100,
  savepointBytes: 32 * 1024 * 1024,
  recordedSteps: 1_000,
  recordingBytes: 4 * 1024 * 1024,
  journalEntries: 10_000,
};

/** The defaults with some of them replaced. Throws `OPTION_INVALID`. */
export function engineLimits(limits: Partial<EngineLimits> = {}): EngineLimits {
  checkOptions(limits, shape, 'limits.');
  return withDefaults(limits, defaultEngineLimits);
}

/** A commit of the file store is one text, which JavaScript limits to 512 Mi characters. */
const LARGEST_UNIT = 256 * 1024 * 1024;

const amount = optionTypes.wholeNumber(1);

const quota = optionTypes.satisfying(
  (value) => value === Infinity || (Number.isSafeInteger(value) && (value as number) >= 0),
  'must be a whole number from 0, or Infinity',
);

const shape: OptionShape<EngineLimits> = {
  hops: amount,
  runMs: amount,
  readMs: amount,
  retryMs: amount,
  retries: amount,
  conflictRetries: amount,
  openPolicies: amount,
  answerCharacters: amount,
  rowCharacters: amount,
  keptRecordBytes: amount,
  itemsPerPage: amount,
  pageBytes: amount,
  documentBytes: amount,
  policyDocuments: quota,
  policyBytes: quota,
  userDocuments: quota,
  userBytes: quota,
  unitBytes: optionTypes.wholeNumber(1, LARGEST_UNIT),
  requestMs: amount,
  answerMs: amount,
  closedRequestMs: amount,
  peerRequests: amount,
  peerBytes: amount,
  messageCharacters: amount,
  leaseMs: amount,
  receiptMs: amount,
  receiptUnits: amount,
  receiptCharacters: amount,
  notifications: amount,
  streamEvents: amount,
  eventSubscribers: amount,
  eventPolicies: amount,
  eventBacklog: amount,
  webhooks: amount,
  webhookAttempts: amount,
  webhookDeadLetters: amount,
  identityKeys: amount,
  revokedTokens: amount,
  virtualUsers: amount,
  savepoints: amount,
  savepointBytes: amount,
  recordedSteps: amount,
  recordingBytes: amount,
  journalEntries: amount,
};
