/** A submission of external data to a policy's blocks, and its execution on this node. */
import type { EngineDeps } from '../engine-deps.js';
import { readExternalData } from '../external-data.js';
import type { Executed, InstrumentedRuns, MayLeave } from '../instrumented.js';

export interface ExternalSend {
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
export const externalSendExecutor =
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
