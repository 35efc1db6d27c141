/** Finds the methods of a block that a user may call now; explanations of refusals use the same checks. */
import type { Availability } from '../access/index.js';
import type { BlockType, ReadContext } from '../block-api/index.js';
import { assertReadable, assertRunning, type OpenPolicy } from '../catalog/index.js';
import type { BlockNode } from '../policy/index.js';
import { fail } from '../block-api/index.js';
import type { ReadScope } from './read-scope.js';

type Read = (ctx: ReadContext) => ReturnType<NonNullable<BlockType['read']>>;
type Receive = (
  ...input: Parameters<NonNullable<BlockType['receive']>>
) => ReturnType<NonNullable<BlockType['receive']>>;

/**
 * Throws the error that a read of the block is rejected with: for the policy's status, the user, the block's options or
 * its type.
 */
export async function readerOf(scope: ReadScope, block: BlockNode): Promise<Read> {
  assertReadable(scope.policy);
  assertAvailable(scope.policy, block, await scope.availability(block));
  const type = scope.workingType(block);
  if (type.read === undefined) return refuseMethod(scope.policy, block, type);
  return type.read.bind(type);
}

/** Throws the error that a send to the block is rejected with, regardless of the data. */
export async function receiverOf(scope: ReadScope, block: BlockNode): Promise<{ type: BlockType; receive: Receive }> {
  assertRunning(scope.policy);
  assertAvailable(scope.policy, block, await scope.availability(block));
  const type = scope.workingType(block);
  if (type.receive === undefined) return refuseMethod(scope.policy, block, type);
  return { type, receive: type.receive.bind(type) };
}

function assertAvailable(policy: OpenPolicy, block: BlockNode, decision: Availability): void {
  if (decision.outcome === 'allowed') return;
  const code = decision.outcome === 'forbidden' ? 'BLOCK_FORBIDDEN' : 'BLOCK_NOT_ACTIVE';
  fail(policy.id, block, code, { facts: { reason: decision.reason } });
}

function refuseMethod(policy: OpenPolicy, block: BlockNode, type: BlockType): never {
  if (type.read !== undefined) return fail(policy.id, block, 'BLOCK_NOT_WRITABLE');
  return fail(policy.id, block, type.receive === undefined ? 'BLOCK_NEITHER' : 'BLOCK_NOT_READABLE');
}
