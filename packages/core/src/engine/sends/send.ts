/** A send of either kind, and its execution on this node. */
import type { Caller } from '../../access/index.js';
import { assertBlockReference, type BlockReference } from '../../catalog/index.js';
import { cloneJson, type JsonAnswer } from '../../records/index.js';
import type { Ran } from '../../runtime/index.js';
import { lanes, revisionKeys, type UnitOfWork } from '../../transactions/index.js';
import type { EngineDeps } from '../engine-deps.js';
import { assertOwn, blocksFedFromOutside, policyTagged, readExternalData } from '../external-data.js';
import { type Executed, type InstrumentedRuns, nameOf } from '../instrumented.js';
import { assertCommitWith, type CommitWith, type SendOptions } from '../send-options.js';

/** Distinguished by their members: one addresses a block, the other blocks by their tags. */
export type Send = BlockSend | ExternalSend;

/** Executes a send, once per key. */
export type SendExecutor = (send: Send) => Promise<Executed>;

export function sendExecutor(deps: EngineDeps, runs: InstrumentedRuns): SendExecutor {
  const [toBlock, fromOutside] = [blockSendExecutor(deps, runs), externalSendExecutor(deps, runs)];
  return (send) => ('tags' in send ? fromOutside(send) : toBlock(send));
}

interface BlockSend {
  readonly caller: Caller;
  readonly policyId: string;
  readonly block: BlockReference;
  readonly data: unknown;
  /** The idempotency key. */
  readonly key: string | undefined;
  /** W3C trace context. */
  readonly traceparent: string | undefined;
  readonly commitWith: CommitWith | undefined;
}

/** Runs in one unit of work; resolves after the commit. */
const blockSendExecutor =
  ({ workflow, idempotentSends, recorder }: EngineDeps, runs: InstrumentedRuns) =>
  ({ caller, policyId, block, data, key, traceparent, commitWith }: BlockSend): Promise<Executed> => {
    const sent = { policyId, did: caller.did, key, request: [block, data] };
    const watched = { did: caller.did, policyId, tag: nameOf(block), cause: 'send', traceparent } as const;
    return runs.run(watched, (unit) =>
      idempotentSends.once(unit, sent, () =>
        withHostWork(unit, commitWith, () =>
          recorder.send(unit, caller, policyId, block, data, () => workflow.send(unit, caller, policyId, block, data)),
        ),
      ),
    );
  };

/** Runs the addressed block only, in a unit of work that is never committed. Rejects with what the block refuses. */
export async function checkSend(
  { workflow, executor }: Pick<EngineDeps, 'workflow' | 'executor'>,
  { caller, policyId, block, data }: Pick<BlockSend, 'caller' | 'policyId' | 'block' | 'data'>,
): Promise<void> {
  assertBlockReference(block);
  const accepted = new Accepted();
  const checking = executor.run(lanes.policy.of(policyId), [revisionKeys.policy.of(policyId)], async (unit) => {
    await workflow.check(unit, caller, policyId, block, data);
    throw accepted;
  });
  await checking.catch((error: unknown) => {
    if (error !== accepted) throw error;
  });
}

/** Ends a unit of work without a commit. */
class Accepted extends Error {}

interface ExternalSend {
  /** The submitter, whose permission has been checked. */
  readonly did: string;
  readonly policyId: string;
  /** The receiving blocks. */
  readonly tags: readonly string[];
  readonly data: unknown;
  /** The idempotency key. */
  readonly key: string | undefined;
  /** W3C trace context. */
  readonly traceparent: string | undefined;
  readonly commitWith: CommitWith | undefined;
}

/** Whom a submission reaches. `isForOthers`: whether the caller may submit what belongs to somebody else. */
export async function externalSend(
  { store, policies, registry, idempotentSends }: EngineDeps,
  { caller, data, isForOthers }: { readonly caller: Caller; readonly data: unknown; readonly isForOthers: boolean },
  { idempotencyKey: key, traceparent, commitWith, ...to }: { policyId?: string; tag?: string } & SendOptions,
): Promise<Send> {
  idempotentSends.assertKey(key);
  assertCommitWith(commitWith, store);
  const { owner, policyTag } = readExternalData(data);
  if (!isForOthers) await assertOwn(store, caller, owner);
  const policyId = to.policyId ?? (await policyTagged(store, policyTag ?? ''));
  const tags = to.tag === undefined ? await blocksFedFromOutside(policies, registry, policyId) : [to.tag];
  return { did: caller.did, policyId, tags, data, key, traceparent, commitWith };
}

/** Runs in one unit of work; resolves after the commit. */
const externalSendExecutor =
  ({ workflow, idempotentSends }: EngineDeps, runs: InstrumentedRuns) =>
  async ({ did, policyId, tags, data, key, traceparent, commitWith }: ExternalSend): Promise<Executed> => {
    const { owner, policyTag: _policyTag, ...input } = readExternalData(data);
    const sent = { policyId, did, key, request: [tags, data] };
    const watched = { did, policyId, tag: tags.join(), cause: 'external', traceparent } as const;
    await runs.run(watched, (unit) =>
      idempotentSends.once(unit, sent, () =>
        withHostWork(unit, commitWith && ((transaction) => commitWith(transaction, null)), () =>
          workflow.external(unit, owner, policyId, tags, input),
        ),
      ),
    );
    return { answer: null };
  };

/** Has the unit committed together with the program's work, which is told the answer. */
async function withHostWork(
  unit: UnitOfWork,
  commitWith: CommitWith | undefined,
  send: () => Promise<Ran>,
): Promise<Ran> {
  const ran = await send();
  if (commitWith !== undefined) {
    const answer = cloneJson(ran.answer) as JsonAnswer | null;
    unit.hostWork = async (transaction) => {
      await commitWith(transaction, answer);
    };
  }
  return ran;
}
