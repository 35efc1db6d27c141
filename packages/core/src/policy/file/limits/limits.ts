/** Size limits of policy files. */
import { valueTypes, parseOptions, type ResolvedOptions } from '../../../options/index.js';

/** Upper bound for `nesting`, because storing and serializing a policy recurse. */
const NESTING_BOUND = 1000;

const amount = (byDefault: number, most = Infinity) =>
  valueTypes
    .satisfying<number>(
      (value) => typeof value === 'number' && value > 0 && value <= most,
      `must be a number above 0${most === Infinity ? '' : ` and at most ${most}`}`,
    )
    .default(byDefault);

/**
 * Far above what exists: the largest of 30 public policies has 160 blocks on nine levels in 190 KB; a methodology with a
 * thousand schemas takes 2 MB packed and 20 MB unpacked.
 */
const limits = {
  /** Bytes of the file itself. */
  fileBytes: amount(32 * 1024 * 1024),
  /** Entries of the archive, folders included. */
  entries: amount(10_000),
  /** Unpacked bytes of one entry; also the approximate size of a policy given as a JSON value. */
  entryBytes: amount(32 * 1024 * 1024),
  /** Unpacked bytes of all entries together. */
  totalBytes: amount(128 * 1024 * 1024),
  /** Unpacked size divided by packed size of an entry. Not checked for entries under 1 MiB, which are harmless. */
  ratio: amount(200),
  /** Nesting of objects and lists in any JSON text; at most 1000. Each level of blocks takes two. */
  nesting: amount(256, NESTING_BOUND),
  /** Values in any JSON text: objects, lists, texts, numbers, booleans and nulls. */
  values: amount(500_000),
  /** Bytes, as JSON, of what a policy says of itself: all its members but the blocks, schemas and tokens. */
  aboutBytes: amount(1024 * 1024),
  blocks: amount(10_000),
  /** Levels of blocks, counting the root. */
  depth: amount(64),
  /** Tools that a policy refers to, those within tools included. Further ones are left out. */
  tools: amount(200),
};

export type PolicyFileLimits = ResolvedOptions<typeof limits>;

/** The defaults, overridden by the given limits. Throws `OPTION_INVALID`. */
export const policyFileLimits = (options: Partial<PolicyFileLimits> = {}): PolicyFileLimits =>
  parseOptions(options, limits, 'policyFileLimits.');

export const defaultPolicyFileLimits: PolicyFileLimits = policyFileLimits();
