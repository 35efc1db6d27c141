/** Errors that name the place where they happened. */
import { errorTable } from '../error-table.js';
import { BlockworkError, isBlockworkError } from '../errors.js';
import type { ErrorArguments, ErrorCode, ErrorFacts, ErrorOptionsOf, LocationFact } from '../errors.js';
import { didYouMean } from '../options/index.js';
import { shownOf, type BlockNode } from '../policy/index.js';
import type { ErrorDetail } from '../records/index.js';

/** Throws an error whose message can name the policy, the block and its type. */
export function fail<Code extends ErrorCode>(
  policyId: string,
  block: BlockNode,
  code: Code,
  ...[options = {}]: ErrorOptionsOf<Code, LocationFact>
): never {
  assertKnown(policyId, block, code);
  const facts = { policyId, tag: block.tag, blockType: block.blockType, ...shownFacts(block, options.facts) };
  const details = shownDetails(block, options.details);
  throw new BlockworkError(...([code, { ...options, facts, details }] as ErrorArguments));
}

/** A block type written in JavaScript may pass anything. */
function assertKnown(policyId: string, { tag, blockType }: BlockNode, code: unknown): void {
  if (typeof code === 'string' && Object.hasOwn(errorTable, code)) return;
  const cause = new TypeError(
    `ctx.fail(${typeof code === 'string' ? JSON.stringify(code) : typeof code}): there is no such code${didYouMean(String(code), Object.keys(errorTable))}. The codes are those of the table of errors; INPUT_INVALID takes a reason of the block's own.`,
  );
  throw new BlockworkError('BLOCK_FAILED', { facts: { policyId, tag, blockType }, cause });
}

/** Errors reach callers, the journal and the log; the values of sensitive options do not. */
const shownFacts = (block: BlockNode, facts: ErrorFacts = {}): ErrorFacts =>
  Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [name, typeof fact === 'string' ? shownOf(block, fact) : fact]),
  );

const shownDetails = (block: BlockNode, details: readonly ErrorDetail[] = []): readonly ErrorDetail[] =>
  details.map((each) => ({ ...each, message: shownOf(block, each.message) }));

/** For the log. The error is kept unless its text quotes an option, since it may say more than its text. */
function shownCause(block: BlockNode, error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? shownOf(block, error) : error;
  const { name, message, stack = '' } = error;
  if (shownOf(block, message + stack) === message + stack) return error;
  return Object.assign(new Error(shownOf(block, message)), { name, stack: shownOf(block, stack) });
}

/** Infrastructure failures; not attributed to a block. */
const ofTheEngine: ReadonlySet<ErrorCode> = new Set([
  'CONFLICT',
  'STORE_UNAVAILABLE',
  'COMMIT_UNKNOWN',
  'STORE_CLOSED',
  'STORE_LOCK_LOST',
  'ENGINE_CLOSED',
  'RUN_TOO_LONG',
  'READ_TOO_LONG',
  'UNIT_TOO_LARGE',
]);

export const isBlockFailure = (error: unknown): boolean => !isBlockworkError(error) || !ofTheEngine.has(error.code);

/**
 * The error that a block threw, with its policy and block named. Errors outside the engine's table become
 * `BLOCK_FAILED`.
 */
export function withLocation(policyId: string, block: BlockNode, error: unknown): unknown {
  if (!isBlockFailure(error)) return error;
  const { tag, blockType } = block;
  if (!isBlockworkError(error)) {
    return new BlockworkError('BLOCK_FAILED', { facts: { policyId, tag, blockType }, cause: shownCause(block, error) });
  }
  if (error.facts.tag !== undefined) return error;
  const { code, cause } = error;
  const where = `block "${tag}" of policy "${policyId}"`;
  const facts = { policyId, tag, blockType, ...shownFacts(block, error.facts) };
  const details = shownDetails(block, error.details);
  return new BlockworkError(...([code, { facts, details, cause, where }] as ErrorArguments));
}
