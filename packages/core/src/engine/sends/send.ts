/** A send of either kind, and its execution on this node. */
import type { Caller } from '../../access/index.js';
import type { BlockReference } from '../../catalog/index.js';
import type { EngineDeps } from '../engine-deps.js';
import { readExternalData } from '../external-data.js';
import { type Executed, type InstrumentedRuns, type MayLeave, nameOf } from '../instrumented.js';

/** Distinguished by their members: one addresses a block, the other blocks by their tags. */
export type Send = BlockSend | ExternalSend;

/** Executes a send on this node, once per key. Resolves to `null` if it has left because of `mayLeave`. */
export type SendExecutor = (send: Send, mayLeave?: MayLeave) => Promise<Executed | null>;

export function sendExecutor(deps: EngineDeps, runs: InstrumentedRuns): SendExecutor {
  const [toBlock, fromOutside] = [blockSendExecutor(deps, runs), externalSendExecutor(deps, runs)];
  return (send, mayLeave) => ('tags' in send ? fromOutside(send, mayLeave) : toBlock(send, mayLeave));
}

interface BlockSend {
  readonly caller: Caller;
  readonly policyId: string;
  readonly block: BlockReference;
  readonly data: unknown;
  /** The idempotency key. */
  readonly key: string | undefined;
  /** The policy had at least this revision when the key was created; absent if unknown. */
  readonly keyedAt?: number;
  /** W3C trace context. */
  readonly traceparent: string | undefined;
}

/** Runs in one unit of work; resolves after the commit, or to `null` if the unit has left for another node. */
const blockSendExecutor =
  ({ workflow, idempotentSends, recorder }: EngineDeps, runs: InstrumentedRuns) =>
  (
    { caller, policyId, block, data, key, keyedAt, traceparent }: BlockSend,
    mayLeave?: MayLeave,
  ): Promise<Executed | null> => {
    const sent = { policyId, did: caller.did, key, keyedAt, request: [block, data] };
    const watched = { did: caller.did, policyId, tag: nameOf(block), cause: 'send', traceparent, mayLeave } as const;
    return runs.run(watched, (unit) =>
      idempotentSends.once(unit, sent, () =>
        recorder.send(unit, caller, policyId, block, data, () => workflow.send(unit, caller, policyId, block, data)),
      ),
    );
  };

interface ExternalSend {
  /** The submitter, whose permission has been checked. */
  readonly did: string;
  readonly policyId: string;
  /** The receiving blocks. */
  readonly tags: readonly string[];
  readonly data: unknown;
  /** The idempotency key. */
  readonly key: string | undefined;
  /** The policy had at least this revision when the key was created; absent if unknown. */
  readonly keyedAt?: number;
  /** W3C trace context. */
  readonly traceparent: string | undefined;
}

/** Runs in one unit of work; resolves after the commit, or to `null` if the unit has left for another node. */
const externalSendExecutor =
  ({ workflow, idempotentSends }: EngineDeps, runs: InstrumentedRuns) =>
  async (
    { did, policyId, tags, data, key, keyedAt, traceparent }: ExternalSend,
    mayLeave?: MayLeave,
  ): Promise<Executed | null> => {
    const { owner, policyTag: _policyTag, ...input } = readExternalData(data);
    const sent = { policyId, did, key, keyedAt, request: [tags, data] };
    const watched = { did, policyId, tag: tags.join(), cause: 'external', traceparent, mayLeave } as const;
    const ran = await runs.run(watched, (unit) =>
      idempotentSends.once(unit, sent, () => workflow.external(unit, owner, policyId, tags, input)),
    );
    return ran && { answer: null };
  };
