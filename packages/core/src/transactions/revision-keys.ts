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

/** One row of a table; `of` fills in the placeholders of its pattern, in order. */
interface Row<Pattern extends string, Key extends string> {
  readonly pattern: Pattern;
  readonly protects: string;
  of(...parts: Placeholders<Pattern>): Key;
}

/** Keys derived from ids that share a fixed number of buckets. */
interface BucketedRow<Pattern extends string> {
  readonly pattern: Pattern;
  readonly protects: string;
  of(...parts: readonly [string, ...string[]]): RevisionKey;
}

type Placeholders<Pattern extends string> = Pattern extends `${string}<${string}>${infer Rest}`
  ? [part: string, ...Placeholders<Rest>]
  : [];

export const revisionKeys = {
  policies: revisionKey('policies', 'Uniqueness among all policies: ids, names, tags and published versions.'),
  definition: revisionKey(
    'definition/<policyId>',
    "A policy's record and configuration. Compiled policies and cached answers are valid while it is unchanged. It changes only together with the key of the policy.",
  ),
  notifications: revisionKey(
    'notifications/<did>',
    "The read state of one person's notifications. Policies add notifications under their own keys.",
  ),
  webhooks: revisionKey('webhooks/<policyId>', "A policy's webhooks, their positions and their dead letters."),
  identityKeys: revisionKey('identity-keys/<did>', 'The keys registered by one member, and their number.'),
  identityKey: revisionKey('identity-key/<key>', 'A registered key, which belongs to exactly one identity.'),
  revokedTokens: revisionKey('revoked-tokens', 'The revoked tokens, and their number.'),
  peers: revisionKey('peers', 'The peers whose trust was granted or withdrawn at run time.'),
  refusals: revisionKey('refusals', 'The counts of refused messages, and the latest of them.'),
  tools: revisionKey(
    'tools',
    'The imported tools. Compiled policies that use tools, and their cached answers, are valid while it is unchanged.',
  ),
  /** The bare id, because journal entries and ledger effects of existing stores are numbered by it. */
  policy: revisionKey(
    '<policyId>',
    'All data of a policy: documents, states, memberships, book and journal. Journal entries and effects are numbered by its revision. Cached answers are valid while it is unchanged.',
  ),
  request: bucketedKey('request', 'A request, which is closed exactly once.'),
  conversation: bucketedKey(
    'conversation',
    'A conversation started by a peer, which results in exactly one request or one refusal.',
  ),
  stream: revisionKey(
    'stream/<stream>',
    'The events announced by peers on a stream: each is stored once, and positions increase.',
  ),
  settlements: revisionKey(
    'settlements/<policyId>',
    'The removal of settled effects: each is removed once, and a node that conflicts with another stops.',
  ),
  outbox: revisionKey(
    'outbox/<topic>',
    'The removal of sent messages: a node that conflicts with another rereads the revision and retries.',
  ),
  link: revisionKey('link/<topic>', "This instance's position on its link, which never moves backwards."),
} as const;

/**
 * A task in `decision` may enter any other lane; a task in another lane enters no second one. This rules out deadlocks.
 */
export const lanes = {
  policies: lane('policies', 'Imports of policies.'),
  notifications: lane('notifications/<did>', 'Changes by one person to their notifications.'),
  webhooks: lane('webhooks/<policyId>', "Changes to a policy's webhooks and their positions."),
  identityKeys: lane('identity-keys/<did>', 'Changes by one member to their keys.'),
  revokedTokens: lane('revoked-tokens', 'Revocations of tokens.'),
  peers: lane('peers', 'Changes to the trusted peers.'),
  refusals: lane('refusals', 'Updates of the counts of refused messages.'),
  tools: lane('tools', 'Imports of tools.'),
  policy: lane('policy/<policyId>', 'Units of work of a policy: sends, timers, document imports, status changes.'),
  stream: lane('stream/<stream>', 'Events announced by peers on a stream.'),
  decision: lane('decision/<messageId>', 'Decisions about a request, including the execution of the requested action.'),
  request: lane('request/<messageId>', 'Units of work that change only the row of a request.'),
  signature: lane('signature/<messageId>', 'A requested signature; a cancellation does not wait for the signer.'),
  conversation: lane(
    'conversation/<startMessageId>/<instance>',
    'Messages that start or cancel the same conversation.',
  ),
} as const;

const otherKeys = Object.values(revisionKeys)
  .filter(({ pattern }) => pattern !== revisionKeys.policy.pattern)
  .map(({ pattern }) => new RegExp(`^${pattern.replaceAll(/<\w+>/g, '.*')}$`, 's'));

/** Whether the key is a policy's: no other key has its form. */
export const isPolicyKey = (key: string): boolean => !otherKeys.some((pattern) => pattern.test(key));

function revisionKey<Pattern extends string>(pattern: Pattern, protects: string): Row<Pattern, RevisionKey> {
  const fill = filler(pattern);
  return { pattern, protects, of: (...parts) => fill(parts) as RevisionKey };
}

/**
 * Short-lived things share a fixed number of keys, since a store keeps every key it was ever given. Two in the same
 * bucket conflict if they commit at the same time; the later unit is rerun.
 */
const BUCKETS = 4096;

function bucketedKey<Name extends string>(name: Name, protects: string): BucketedRow<`${Name}/<bucket>`> {
  const pattern = `${name}/<bucket>` as const;
  return { pattern, protects, of: (...parts: readonly string[]) => `${name}/${bucketOf(parts)}` as RevisionKey };
}

/** FNV-1a over the parts, with unambiguous boundaries. */
function bucketOf(parts: readonly string[]): string {
  let hash = 0x811c9dc5;
  const text = JSON.stringify(parts);
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return String((hash >>> 0) % BUCKETS);
}

function lane<Pattern extends string>(pattern: Pattern, protects: string): Row<Pattern, Lane> {
  const fill = filler(pattern);
  return { pattern, protects, of: (...parts) => fill(parts) as Lane };
}

/** Parts are inserted one after another, so a part that looks like a placeholder is left alone. */
function filler(pattern: string): (parts: readonly string[]) => string {
  const [first = '', ...between] = pattern.split(/<\w+>/);
  return (parts) => between.reduce((text, next, at) => text + (parts[at] ?? '') + next, first);
}
