/** What somebody submits from outside of a policy to its blocks, and how this node carries it out. */
import type { EngineDeps } from '../engine-deps.js';
import { readExternalData } from '../external-data.js';
import type { InstrumentedRuns } from '../instrumented.js';

export interface ExternalSend {
  /** Who submits it; permitted to. */
  readonly did: string;
  readonly policyId: string;
  /** The blocks that take it. */
  readonly tags: readonly string[];
  readonly data: unknown;
  /** Under which it is carried out once. */
  readonly key: string | undefined;
  /** The policy had this revision, or a later one, when the key was made; absent where that is not known. */
  readonly keyedAt?: number;
  /** The trace that it is part of. */
  readonly traceparent: string | undefined;
}

/** In one unit of work; resolves after the commit. */
export const submittedBy =
  ({ workflow, idempotentSends }: EngineDeps, runs: InstrumentedRuns) =>
  async ({ did, policyId, tags, data, key, keyedAt, traceparent }: ExternalSend): Promise<null> => {
    const { owner, policyTag: _policyTag, ...input } = readExternalData(data);
    const sent = { policyId, did, key, keyedAt, request: [tags, data] };
    const watched = { did, policyId, tag: tags.join(), cause: 'external', traceparent } as const;
    await runs.run(watched, (unit) =>
      idempotentSends.once(unit, sent, () => workflow.external(unit, owner, policyId, tags, input)),
    );
    return null;
  };
