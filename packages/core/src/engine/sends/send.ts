/** A send of either kind, and its execution on this node. */
import type { EngineDeps } from '../engine-deps.js';
import type { Executed, InstrumentedRuns, MayLeave } from '../instrumented.js';
import { blockSendExecutor, type BlockSend } from './block-send.js';
import { externalSendExecutor, type ExternalSend } from './external-send.js';

/** Distinguished by their members: one addresses a block, the other blocks by their tags. */
export type Send = BlockSend | ExternalSend;

/** Executes a send on this node, once per key. Resolves to `null` if it has left because of `mayLeave`. */
export type SendExecutor = (send: Send, mayLeave?: MayLeave) => Promise<Executed | null>;

export function sendExecutor(deps: EngineDeps, runs: InstrumentedRuns): SendExecutor {
  const [toBlock, fromOutside] = [blockSendExecutor(deps, runs), externalSendExecutor(deps, runs)];
  return (send, mayLeave) => ('tags' in send ? fromOutside(send, mayLeave) : toBlock(send, mayLeave));
}
