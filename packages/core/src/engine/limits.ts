/** Engine limits: on input from outside, and on caches and stored data. */
import { valueTypes, parseOptions, type ResolvedOptions } from '../options/index.js';

const MIB = 1024 * 1024;

/** The file store writes a commit as one string, and JavaScript limits strings to 512 Mi characters. */
const LARGEST_UNIT = 256 * MIB;

const amount = (byDefault: number) => valueTypes.wholeNumber(1).default(byDefault);

const quota = valueTypes
  .satisfying<number>(
    (value) => value === Infinity || (Number.isSafeInteger(value) && (value as number) >= 0),
    'must be a whole number from 0, or Infinity',
  )
  .default(Infinity);

const limits = {
  /** Events in one run. */
  hops: amount(10_000),
  /** Milliseconds for one run. */
  runMs: amount(30_000),
  /** Milliseconds for one read of a block. */
  readMs: amount(30_000),
  /** Milliseconds that `close` waits for units of work that have not started, and for each port that delivers. */
  closeMs: amount(10_000),
  /** Minimum milliseconds before a failed block is retried, if its policy asks for retries. */
  retryMs: amount(1_000),
  /** Maximum retries. */
  retries: amount(100),
  /** Maximum retries of a unit of work after a concurrent change of the policy by another process. */
  conflictRetries: amount(20),
  /** Compiled policies cached in memory; others are recompiled on demand. */
  openPolicies: amount(100),
  /** Characters of block answers cached as text. */
  answerCharacters: amount(64 * MIB),
  /** Characters of grid rows cached as text. */
  rowCharacters: amount(32 * MIB),
  /** Bytes of policy records cached as JSON, if several processes share a store. */
  keptRecordBytes: amount(64 * MIB),
  /** The largest page a caller may request. */
  itemsPerPage: amount(1000),
  /** Bytes of the documents or other records on one page, and of one answer of a block. */
  pageBytes: amount(16 * MIB),
  /** Bytes of one document. */
  documentBytes: amount(4 * MIB),
  /** Document quotas, per policy and per owner within a policy. Default: `Infinity`, no quota. */
  policyDocuments: quota,
  policyBytes: quota,
  userDocuments: quota,
  userBytes: quota,
  /** Bytes of the records that one unit of work writes. */
  unitBytes: valueTypes.wholeNumber(1, LARGEST_UNIT).default(64 * MIB),
  /** Documents that one unit of work makes. */
  unitDocuments: amount(10_000),
  /** Milliseconds until an open request between instances expires. */
  requestMs: amount(7 * 24 * 3_600_000),
  /** Further milliseconds to wait for the request's outcome before giving up. */
  answerMs: amount(24 * 3_600_000),
  /** Milliseconds a closed request is kept. */
  closedRequestMs: amount(7 * 24 * 3_600_000),
  /** Open requests of one peer. */
  peerRequests: amount(1_000),
  /** Bytes of all stored requests of one peer, including closed ones. */
  peerBytes: amount(128 * MIB),
  /** Characters of a signed message between instances. */
  messageCharacters: amount(720 * 1024),
  /** Milliseconds until other processes sharing the store take over the work of a dead process. */
  leaseMs: amount(6_000),
  /** Milliseconds an idempotency key is remembered. */
  receiptMs: amount(24 * 3_600_000),
  /** Minimum number of later units of work in the same policy before the key may be forgotten. */
  receiptUnits: amount(10_000),
  /** Maximum characters of a remembered answer, as JSON. */
  receiptCharacters: amount(64 * 1024),
  /** Notifications per inbox; the oldest are evicted. */
  notifications: amount(1_000),
  /** Stored events per peer and stream; the oldest are evicted. */
  streamEvents: amount(250),
  /** Concurrent event subscriptions. */
  eventSubscribers: amount(1_000),
  /** Concurrent event subscriptions of one caller; a further one ends the caller's oldest. */
  eventSubscribersPerCaller: amount(100),
  /** Policies that one subscription names; one to all policies names none. */
  eventPolicies: amount(100),
  /** Units a subscriber may lag behind in a policy; beyond that, it gets a gap. */
  eventBacklog: amount(10_000),
  /** Webhooks of one policy. */
  webhooks: amount(20),
  /** Attempts to deliver one event to a webhook; the last ones are an hour apart. */
  webhookAttempts: amount(25),
  /** Undeliverable events kept per webhook; the oldest are evicted. */
  webhookDeadLetters: amount(1_000),
  /** Keys one member can register, including revoked ones. */
  identityKeys: amount(10_000),
  /** Revoked tokens that have not expired yet. */
  revokedTokens: amount(10_000),
  /** Virtual users per policy. */
  virtualUsers: amount(100),
  /** Savepoints of one policy. */
  savepoints: amount(100),
  /** Bytes of the records in one savepoint. */
  savepointBytes: amount(32 * MIB),
  /** Steps of one recording. */
  recordedSteps: amount(1_000),
  /** Bytes of the steps of one recording. */
  recordingBytes: amount(4 * MIB),
  /** Edits kept in the history of one draft; the oldest are evicted. */
  edits: amount(1_000),
  /** Bytes of the edits kept in the history of one draft. */
  editBytes: amount(32 * MIB),
  /** Approximate number of entries in a policy's journal; the oldest are archived. */
  journalEntries: amount(10_000),
};

export type EngineLimits = ResolvedOptions<typeof limits>;

/** The defaults, overridden by the given limits. Throws `OPTION_INVALID`. */
export const engineLimits = (options: Partial<EngineLimits> = {}): EngineLimits =>
  parseOptions(options, limits, 'limits.');

export const defaultEngineLimits: EngineLimits = engineLimits();
