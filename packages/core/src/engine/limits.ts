/** Engine limits: on input from outside, and on caches and stored data. */
import { checkOptions, optionTypes, withDefaults, type OptionShape } from '../options/index.js';

export interface EngineLimits {
  /** Events in one run. */
  readonly hops: number;
  /** Milliseconds for one run. */
  readonly runMs: number;
  /** Milliseconds for one read of a block. */
  readonly readMs: number;
  /** Minimum milliseconds before a failed block is retried, if its policy asks for retries. */
  readonly retryMs: number;
  /** Maximum retries. */
  readonly retries: number;
  /** Maximum retries of a unit of work after a concurrent change of the policy by another process. */
  readonly conflictRetries: number;
  /** Compiled policies cached in memory; others are recompiled on demand. */
  readonly openPolicies: number;
  /** Characters of block answers cached as text. */
  readonly answerCharacters: number;
  /** Characters of grid rows cached as text. */
  readonly rowCharacters: number;
  /** Bytes of policy records cached as JSON, if several processes share a store. */
  readonly keptRecordBytes: number;
  /** The largest page a caller may request. */
  readonly itemsPerPage: number;
  /** Bytes of the documents or other records on one page, and of one answer of a block. */
  readonly pageBytes: number;
  /** Bytes of one document. */
  readonly documentBytes: number;
  /** Document quotas, per policy and per owner within a policy. Default: `Infinity`, no quota. */
  readonly policyDocuments: number;
  readonly policyBytes: number;
  readonly userDocuments: number;
  readonly userBytes: number;
  /** Bytes of the records that one unit of work writes. */
  readonly unitBytes: number;
  /** Documents that one unit of work makes. */
  readonly unitDocuments: number;
  /** Milliseconds until an open request between instances expires. */
  readonly requestMs: number;
  /** Further milliseconds to wait for the request's outcome before giving up. */
  readonly answerMs: number;
  /** Milliseconds a closed request is kept. */
  readonly closedRequestMs: number;
  /** Open requests of one peer. */
  readonly peerRequests: number;
  /** Bytes of all stored requests of one peer, including closed ones. */
  readonly peerBytes: number;
  /** Characters of a signed message between instances. */
  readonly messageCharacters: number;
  /** Milliseconds until other processes sharing the store take over the work of a dead process. */
  readonly leaseMs: number;
  /** Milliseconds an idempotency key is remembered. */
  readonly receiptMs: number;
  /** Minimum number of later units of work in the same policy before the key may be forgotten. */
  readonly receiptUnits: number;
  /** Maximum characters of a remembered answer, as JSON. */
  readonly receiptCharacters: number;
  /** Notifications per inbox; the oldest are evicted. */
  readonly notifications: number;
  /** Stored events per peer and stream; the oldest are evicted. */
  readonly streamEvents: number;
  /** Concurrent event subscriptions. */
  readonly eventSubscribers: number;
  /** Concurrent event subscriptions of one caller; a further one ends the caller's oldest. */
  readonly eventSubscribersPerCaller: number;
  /** Policies that one subscription names; one to all policies names none. */
  readonly eventPolicies: number;
  /** Units a subscriber may lag behind in a policy; beyond that, it gets a gap. */
  readonly eventBacklog: number;
  /** Webhooks of one policy. */
  readonly webhooks: number;
  /** Attempts to deliver one event to a webhook; the last ones are an hour apart. */
  readonly webhookAttempts: number;
  /** Undeliverable events kept per webhook; the oldest are evicted. */
  readonly webhookDeadLetters: number;
  /** Keys one member can register, including revoked ones. */
  readonly identityKeys: number;
  /** Revoked tokens that have not expired yet. */
  readonly revokedTokens: number;
  /** Virtual users per policy. */
  readonly virtualUsers: number;
  /** Savepoints of one policy. */
  readonly savepoints: number;
  /** Bytes of the records in one savepoint. */
  readonly savepointBytes: number;
  /** Steps of one recording. */
  readonly recordedSteps: number;
  /** Bytes of the steps of one recording. */
  readonly recordingBytes: number;
  /** Approximate number of entries in a policy's journal; the oldest are archived. */
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
  unitDocuments: 10_000,
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
  eventSubscribersPerCaller: 100,
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

/** The defaults, overridden by the given limits. Throws `OPTION_INVALID`. */
export function engineLimits(limits: Partial<EngineLimits> = {}): EngineLimits {
  checkOptions(limits, shape, 'limits.');
  return withDefaults(limits, defaultEngineLimits);
}

/** The file store writes a commit as one string, and JavaScript limits strings to 512 Mi characters. */
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
  unitDocuments: amount,
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
  eventSubscribersPerCaller: amount,
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
