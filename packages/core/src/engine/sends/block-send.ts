/** A send to one block, and its execution on this node. */
import type { Caller } from '../../access/index.js';
import type { BlockReference } from '../../catalog/index.js';
import type { EngineDeps } from '../engine-deps.js';
import { nameOf, type Executed, type InstrumentedRuns, type MayLeave } from '../instrumented.js';

export interface BlockSend {
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
export const blockSendExecutor =
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
