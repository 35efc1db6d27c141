/** Resumes the block that waits for an answer, in the unit of work that closes the row. */
import { isBlockworkError } from '../errors.js';
import type { CredentialSigner } from '../ports/index.js';
import { isObject, sameJson } from '../records/index.js';
import type { Json, JsonObject, RemoteRequest, RequestClosing } from '../records/index.js';
import { lanes, revisionKeys } from '../transactions/index.js';
import type { Committed, Lane, RevisionKey, UnitOfWork } from '../transactions/index.js';
import type { Ran, Workflow } from '../runtime/index.js';

type ResumeError = NonNullable<RequestClosing['resumeError']>;

/** Marks a failure of the block, as opposed to one of the store or the commit. */
class BlockFailed extends Error {}

export class Resumption {
  constructor(
    private readonly workflow: Workflow,
    private readonly signer: CredentialSigner | null,
  ) {}

  lane({ id, resume }: RemoteRequest): { lane: Lane; keys: RevisionKey[] } {
    const key = revisionKeys.request.of(id);
    return resume === undefined
      ? { lane: lanes.request.of(id), keys: [key] }
      : { lane: lanes.policy.of(resume.policyId), keys: [key, revisionKeys.policy.of(resume.policyId)] };
  }

  /** Resolves with the outcome of the run, if a block waits for the answer. */
  async resume(unit: UnitOfWork, { resume, messageId, status, closed }: RemoteRequest): Promise<Ran | undefined> {
    if (resume === undefined) return undefined;
    const { result = null, error = null, reason = null } = closed ?? {};
    const input: Json = { messageId, status, result, error, reason };
    const { user, policyId, tag } = resume;
    try {
      return await this.workflow.send(unit, user, policyId, { tag }, input);
    } catch (cause) {
      if (isBlockworkError(cause) && cause.retryable) throw cause;
      throw new BlockFailed('The resumed block failed.', { cause });
    }
  }

  /** Runs the closing; if the block fails, runs it again without the block. */
  async guarded<T>(close: (failed?: ResumeError) => Promise<Committed<T>>): Promise<Committed<T>> {
    try {
      return await close();
    } catch (error) {
      if (!(error instanceof BlockFailed)) throw error;
      const { cause } = error;
      return close(
        isBlockworkError(cause)
          ? { code: cause.code, message: cause.message }
          : { code: 'INTERNAL', message: cause instanceof Error ? cause.message : String(cause) },
      );
    }
  }

  /** For signatures: checks that exactly the requested credential was signed. */
  async checked({ action }: RemoteRequest, closing: RequestClosing): Promise<RequestClosing> {
    if (action.type !== 'sign') return closing;
    const signed = closing.result;
    const isSame = isCredential(signed) && sameJson(withoutProof(signed), withoutProof(action.credential));
    if (isSame && (this.signer === null || (await this.signer.verify(signed, action.signer)))) return closing;
    const { result: _result, ...rest } = closing;
    const message = isSame ? 'The proof is not the signer’s.' : 'The signed credential differs from the requested one.';
    return { ...rest, error: { code: 'ANSWER_INVALID', message } };
  }
}

const isCredential = (value: Json | undefined): value is JsonObject => isObject(value) && value['proof'] !== undefined;

const withoutProof = ({ proof: _proof, ...rest }: JsonObject): JsonObject => rest;
