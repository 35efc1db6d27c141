/** How large and how deep a policy file may be before it is refused. */
import { BlockworkError } from '../../errors.js';

export interface PolicyFileLimits {
  /** Bytes of the file itself. */
  readonly fileBytes: number;
  /** Entries of the archive, folders included. */
  readonly entries: number;
  /** Bytes of one entry when unpacked; also the weight of a policy given as a JSON value. */
  readonly entryBytes: number;
  /** Bytes of all entries together when unpacked. */
  readonly totalBytes: number;
  /** Unpacked to packed size of one entry. Entries under 1 MiB are not measured: they do no harm. */
  readonly ratio: number;
  /** Objects and lists inside one another in any JSON text; at most 1000. Two levels are used up by each level of blocks. */
  readonly nesting: number;
  readonly blocks: number;
  /** Levels of blocks; the root is the first. */
  readonly depth: number;
}

/**
 * Generous for what exists: the largest of 30 public policies has 160 blocks on nine levels in 190 KB,
 * and a methodology of a thousand schemas comes to 2 MB packed, 20 MB unpacked.
 */
export const defaultPolicyFileLimits: PolicyFileLimits = {
  fileBytes: 32 * 1024 * 1024,
  entries: 10_000,
  entryBytes: 32 * 1024 * 1024,
  totalBytes: 128 * 1024 * 1024,
  ratio: 200,
  nesting: 256,
  blocks: 10_000,
  depth: 64,
};

/** Whatever walks a policy later (storing, copying, answering) recurses, so nesting has an upper bound of its own. */
const NESTING_BOUND = 1000;

/** The defaults with some of them replaced. @throws OPTION_INVALID for a limit that is not a positive number. */
export function policyFileLimits(limits: Partial<PolicyFileLimits> = {}): PolicyFileLimits {
  const complete = { ...defaultPolicyFileLimits, ...limits };
  for (const [name, value] of Object.entries(complete)) {
    const reason = problem(name, value);
    if (reason !== '') throw new BlockworkError('OPTION_INVALID', { facts: { option: `limits.${name}`, reason } });
  }
  return complete;
}

function problem(name: string, value: unknown): string {
  if (typeof value !== 'number' || !(value > 0)) return 'it must be a number above 0';
  return name === 'nesting' && value > NESTING_BOUND ? `it can be at most ${NESTING_BOUND}` : '';
}
