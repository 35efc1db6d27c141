/**
 * All revision keys and lanes: the concurrency model in one table. Keys are created only here, and a branded type keeps
 * other strings out.
 *
 * Lanes save work: tasks of one lane run one after another within a process. Revision keys guarantee correctness: a
 * commit succeeds only if the revisions that its unit of work began with are still current, whichever process moved
 * them.
 */

declare const brand: unique symbol;
export type RevisionKey = string & { readonly [brand]: 'revision key' };
export type Lane = string & { readonly [brand]: 'lane' };

interface Description {
  /** The classes whose units of work, or tasks, acquire it. */
  readonly takenBy: readonly string[];
  /** The classes that only read its revision. */
  readonly readBy?: readonly string[];
  readonly protects: string;
}

/** One row of a table; `of` fills in the placeholders of its pattern, in order. */
interface Row<Pattern extends string, Key extends string> extends Description {
  readonly pattern: Pattern;
  of(...parts: Placeholders<Pattern>): Key;
}

/** Keys derived from ids that share a fixed number of buckets. */
interface Spread<Pattern extends string> extends Description {
  readonly pattern: Pattern;
  of(...parts: readonly [string, ...string[]]): RevisionKey;
}

type Placeholders<Pattern extends string> = Pattern extends `${string}<${string}>${infer Rest}`
  ? [part: string, ...Placeholders<Rest>]
  : [];

export const revisionKeys = {
  policies: revisionKey('policies', {
    takenBy: ['PolicyDrafts', 'PolicyImporter', 'PolicyLifecycle', 'RequestedActions'],
    protects: 'What must be unique among all policies: ids, names, tags, and versions that are published.',
  }),
  definition: revisionKey('definition/<policyId>', {
    takenBy: ['PolicyDrafts', 'PolicyImporter', 'PolicyLifecycle', 'RequestedActions'],
    readBy: ['AnswerCache', 'CachedReader', 'CompiledPolicyCache', 'LayeredReader'],
    protects:
      'The record and the configuration of a policy. Compiled policies and kept answers are valid while it is unchanged. It moves only together with that of the policy.',
  }),
  notifications: revisionKey('notifications/<did>', {
    takenBy: ['NotificationInbox'],
    protects: 'What one person has read of their notifications. Policies add to them under their own keys.',
  }),
  webhooks: revisionKey('webhooks/<policyId>', {
    takenBy: ['WebhookStore'],
    protects: 'The webhooks of a policy, how far each of them is, and what they gave up.',
  }),
  identityKeys: revisionKey('identity-keys/<did>', {
    takenBy: ['Identities'],
    protects: 'The keys that one member has registered, and how many there are.',
  }),
  identityKey: revisionKey('identity-key/<key>', {
    takenBy: ['Identities'],
    protects: 'A registered key: it belongs to one identity.',
  }),
  revokedTokens: revisionKey('revoked-tokens', {
    takenBy: ['RevokedTokens'],
    protects: 'The tokens that are revoked, and how many there are.',
  }),
  peers: revisionKey('peers', {
    takenBy: ['TrustedPeers'],
    protects: 'The instances that are trusted, or not any more, since the program said so at run time.',
  }),
  refusals: revisionKey('refusals', {
    takenBy: ['RefusedMessages'],
    protects: 'How many messages of other instances were refused, and the latest of them.',
  }),
  tools: revisionKey('tools', {
    takenBy: ['ToolLibrary'],
    readBy: ['AnswerCache', 'CompiledPolicyCache'],
    protects:
      'The imported tools. Compiled policies that refer to tools, and their kept answers, are valid while it is unchanged.',
  }),
  /** The bare id, because journal entries and ledger effects of existing stores are numbered by it. */
  policy: revisionKey('<policyId>', {
    takenBy: [
      'BlockTimers',
      'DocumentImporter',
      'InstrumentedRuns',
      'JournalRetention',
      'OutgoingRequests',
      'PolicyEngine',
      'PolicyImporter',
      'PolicyDrafts',
      'PolicyLifecycle',
      'RequestedActions',
      'Resumption',
      'Recorder',
      'Savepoints',
      'TimerRestoration',
      'TrialPeople',
    ],
    readBy: ['AnswerCache', 'ForwardedSends', 'IdempotentSends', 'JournalTail', 'Run'],
    protects:
      'Everything inside a policy: documents, states, memberships, book and journal. Its number names journal entries and effects. Kept answers are valid while it is unchanged.',
  }),
  request: spreadKey('request', {
    takenBy: ['ApprovalService', 'Inbox', 'OutgoingRequests', 'RequestArchive', 'RequestCloser', 'Resumption'],
    protects: 'The row of a request: it is closed once.',
  }),
  conversation: spreadKey('conversation', {
    takenBy: ['Inbox', 'Receiver'],
    protects: 'What a peer began: it gets one row, or one refusal.',
  }),
  stream: revisionKey('stream/<stream>', {
    takenBy: ['PeerStreams'],
    protects: 'The events that peers announced on a stream: each is taken in once, and their positions increase.',
  }),
  settlements: revisionKey('settlements/<policyId>', {
    takenBy: ['LedgerOutbox'],
    protects: 'The effects of a policy that the external ledger has: a node that was overtaken removes none.',
  }),
  outbox: revisionKey('outbox/<topic>', {
    takenBy: ['MessageOutbox'],
    protects:
      'The messages that were sent to an instance: a node that was overtaken looks again before it removes any.',
  }),
  link: revisionKey('link/<topic>', {
    takenBy: ['Connection'],
    protects: 'The position of this instance on its link: it never moves backwards.',
  }),
} as const;

/**
 * A task in `decision` may enter any other lane; a task in another lane enters no second one. This rules out deadlocks.
 */
export const lanes = {
  policies: lane('policies', {
    takenBy: ['PolicyImporter', 'RequestedActions'],
    protects: 'Additions of policies.',
  }),
  notifications: lane('notifications/<did>', {
    takenBy: ['NotificationInbox'],
    protects: 'Changes that one person makes to their notifications.',
  }),
  webhooks: lane('webhooks/<policyId>', {
    takenBy: ['WebhookStore'],
    protects: 'Changes to the webhooks of a policy, and to how far they are.',
  }),
  identityKeys: lane('identity-keys/<did>', {
    takenBy: ['Identities'],
    protects: 'Changes that one member makes to their keys.',
  }),
  revokedTokens: lane('revoked-tokens', {
    takenBy: ['RevokedTokens'],
    protects: 'Additions of revoked tokens.',
  }),
  peers: lane('peers', {
    takenBy: ['TrustedPeers'],
    protects: 'Changes of the trusted instances.',
  }),
  refusals: lane('refusals', {
    takenBy: ['RefusedMessages'],
    protects: 'Additions to what was refused.',
  }),
  tools: lane('tools', {
    takenBy: ['ToolLibrary'],
    protects: 'Additions of tools.',
  }),
  policy: lane('policy/<policyId>', {
    takenBy: [
      'BlockTimers',
      'DocumentImporter',
      'InstrumentedRuns',
      'JournalRetention',
      'OutgoingRequests',
      'PolicyEngine',
      'PolicyDrafts',
      'PolicyLifecycle',
      'RequestedActions',
      'Resumption',
      'Recorder',
      'Savepoints',
      'TimerRestoration',
      'TrialPeople',
    ],
    readBy: ['ForwardedSends'],
    protects: 'Units of work inside a policy: sends, timers, imports of documents, changes of status.',
  }),
  stream: lane('stream/<stream>', {
    takenBy: ['PeerStreams'],
    protects: 'Events that peers announce on a stream.',
  }),
  decision: lane('decision/<messageId>', {
    takenBy: ['ApprovalService'],
    protects: 'Decisions about a request, each with everything that it carries out.',
  }),
  request: lane('request/<messageId>', {
    takenBy: ['OutgoingRequests', 'RequestArchive', 'RequestCloser', 'Resumption'],
    protects: 'Units of work that change the row of a request and nothing else.',
  }),
  signature: lane('signature/<messageId>', {
    takenBy: ['RequestedActions'],
    protects: 'A signature that was asked for; a cancellation does not wait for the signer.',
  }),
  conversation: lane('conversation/<startMessageId>/<instance>', {
    takenBy: ['Inbox', 'Receiver'],
    protects: 'Messages that begin or cancel the same conversation.',
  }),
} as const;

const otherKeys = Object.values(revisionKeys)
  .filter(({ pattern }) => pattern !== revisionKeys.policy.pattern)
  .map(({ pattern }) => new RegExp(`^${pattern.replaceAll(/<\w+>/g, '.*')}$`, 's'));

/** Whether the key is a policy's: no other key has its form. */
export const isPolicyKey = (key: RevisionKey): boolean => !otherKeys.some((pattern) => pattern.test(key));

function revisionKey<Pattern extends string>(pattern: Pattern, description: Description): Row<Pattern, RevisionKey> {
  const fill = filler(pattern);
  return { pattern, ...description, of: (...parts) => fill(parts) as RevisionKey };
}

/**
 * Short-lived things share a fixed number of keys, since a store keeps every key it was ever given. Two in the same
 * bucket conflict if they commit at the same time; the later unit is rerun.
 */
const BUCKETS = 4096;

function spreadKey<Name extends string>(name: Name, description: Description): Spread<`${Name}/<bucket>`> {
  const pattern = `${name}/<bucket>` as const;
  return { pattern, ...description, of: (...parts: readonly string[]) => `${name}/${bucketOf(parts)}` as RevisionKey };
}

/** FNV-1a over the parts, with unambiguous boundaries. */
function bucketOf(parts: readonly string[]): string {
  let hash = 0x811c9dc5;
  const text = JSON.stringify(parts);
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return String((hash >>> 0) % BUCKETS);
}

function lane<Pattern extends string>(pattern: Pattern, description: Description): Row<Pattern, Lane> {
  const fill = filler(pattern);
  return { pattern, ...description, of: (...parts) => fill(parts) as Lane };
}

/** Parts are inserted one after another, so a part that looks like a placeholder is left alone. */
function filler(pattern: string): (parts: readonly string[]) => string {
  const [first = '', ...between] = pattern.split(/<\w+>/);
  return (parts) => between.reduce((text, next, at) => text + (parts[at] ?? '') + next, first);
}
