/** What a caller sends to one block, and how this node carries it out. */
import type { Caller } from '../../access/index.js';
import type { BlockReference } from '../../catalog/index.js';
import type { Json } from '../../records/index.js';
import type { EngineDeps } from '../engine-deps.js';
import { nameOf, type InstrumentedRuns } from '../instrumented.js';

export interface BlockSend {
  readonly caller: Caller;
  readonly policyId: string;
  readonly block: BlockReference;
  readonly data: unknown;
  /** Under which it is carried out once. */
  readonly key: string | undefined;
  /** The policy had this revision, or a later one, when the key was made; absent where that is not known. */
  readonly keyedAt?: number;
  /** The trace that it is part of. */
  readonly traceparent: string | undefined;
}

/** In one unit of work; resolves after the commit with the block's answer. */
export const carriedOutBy =
  ({ workflow, idempotentSends, recorder }: EngineDeps, runs: InstrumentedRuns) =>
  ({ caller, policyId, block, data, key, keyedAt, traceparent }: BlockSend): Promise<Json> => {
    const sent = { policyId, did: caller.did, key, keyedAt, request: [block, data] };
    const watched = { did: caller.did, policyId, tag: nameOf(block), cause: 'send', traceparent } as const;
    return runs.run(watched, (unit) =>
      idempotentSends.once(unit, sent, () =>
        recorder.send(unit, caller, policyId, block, data, () => workflow.send(unit, caller, policyId, block, data)),
      ),
    );
  };
