/** Size limits of policy files. */
import { checkOptions, optionTypes, withDefaults, type OptionShape } from '../../../options/index.js';

export interface PolicyFileLimits {
  /** Bytes of the file itself. */
  readonly fileBytes: number;
  /** Entries of the archive, folders included. */
  readonly entries: number;
  /** Unpacked bytes of one entry; also the approximate size of a policy given as a JSON value. */
  readonly entryBytes: number;
  /** Unpacked bytes of all entries together. */
  readonly totalBytes: number;
  /** Unpacked size divided by packed size of an entry. Not checked for entries under 1 MiB, which are harmless. */
  readonly ratio: number;
  /** Nesting of objects and lists in any JSON text; at most 1000. Each level of blocks takes two. */
  readonly nesting: number;
  /** Values in any JSON text: objects, lists, texts, numbers, booleans and nulls. */
  readonly values: number;
  /** Bytes, as JSON, of what a policy says of itself: all its members but the blocks, schemas and tokens. */
  readonly aboutBytes: number;
  readonly blocks: number;
  /** Levels of blocks, counting the root. */
  readonly depth: number;
  /** Tools that a policy refers to, those within tools included. Further ones are left out. */
  readonly tools: number;
}

/**
 * Far above what exists: the largest of 30 public policies has 160 blocks on nine levels in 190 KB; a methodology with a
 * thousand schemas takes 2 MB packed and 20 MB unpacked.
 */
export const defaultPolicyFileLimits: PolicyFileLimits = {
  fileBytes: 32 * 1024 * 1024,
  entries: 10_000,
  entryBytes: 32 * 1024 * 1024,
  totalBytes: 128 * 1024 * 1024,
  ratio: 200,
  nesting: 256,
  values: 500_000,
  aboutBytes: 1024 * 1024,
  blocks: 10_000,
  depth: 64,
  tools: 200,
};

/** Upper bound for `nesting`, because storing and serializing a policy recurse. */
const NESTING_BOUND = 1000;

const amount = optionTypes.satisfying((value) => typeof value === 'number' && value > 0, 'must be a number above 0');

const shape: OptionShape<PolicyFileLimits> = {
  fileBytes: amount,
  entries: amount,
  entryBytes: amount,
  totalBytes: amount,
  ratio: amount,
  nesting: optionTypes.satisfying(
    (value) => typeof value === 'number' && value > 0 && value <= NESTING_BOUND,
    `must be a number above 0 and at most ${NESTING_BOUND}`,
  ),
  values: amount,
  aboutBytes: amount,
  blocks: amount,
  depth: amount,
  tools: amount,
};

/** The defaults with some of them replaced. Throws `OPTION_INVALID`. */
export function policyFileLimits(limits: Partial<PolicyFileLimits> = {}): PolicyFileLimits {
  checkOptions(limits, shape, 'policyFileLimits.');
  return withDefaults(limits, defaultPolicyFileLimits);
}
