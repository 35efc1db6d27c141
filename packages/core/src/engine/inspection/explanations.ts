/** Why a block is open to somebody or not, and why it shows them a document or not. */
import type { Caller } from '../../access/index.js';
import type { BlockReference, CompiledPolicyCache, OpenPolicy } from '../../catalog/index.js';
import { BlockworkError } from '../../errors.js';
import { demandOptions } from '../../options/index.js';
import type { DocumentRecord } from '../../records/index.js';
import {
  Explanations as RuntimeExplanations,
  type BlockExplanation,
  type ReadScopeDeps,
  type SelectionExplanation,
} from '../../runtime/index.js';
import type { RecordReader } from '../../transactions/index.js';
import type { Gate } from '../gate.js';

export interface ExplanationsDeps {
  readonly store: RecordReader;
  readonly policies: CompiledPolicyCache;
  readonly runDeps: ReadScopeDeps;
}

export interface ExplainAs {
  /** The identity that it is explained for: the caller's, or for the owner of the policy anybody's. Default: the caller's. */
  readonly as?: string | undefined;
}

/**
 * Every method throws `PERMISSION_DENIED` (`POLICIES_POLICY_EXECUTE`), `POLICY_UNKNOWN`, `POLICY_NOT_OWNED` for others than the
 * caller, `BLOCK_UNKNOWN`, `ENGINE_CLOSED`.
 */
export class Explanations {
  readonly #gate: Gate;
  readonly #deps: ExplanationsDeps;
  readonly #explanations: RuntimeExplanations;

  constructor(gate: Gate, deps: ExplanationsDeps) {
    this.#gate = gate;
    this.#deps = deps;
    this.#explanations = new RuntimeExplanations(deps.store, deps.runDeps);
  }

  /**
   * The decision about a block with each of its steps, from the root down, and whether it could be read and sent to now. The
   * decision is the one that `readBlock` and `sendToBlock` make. Throws what every method throws, `ENGINE_CLOSED` among them.
   */
  async block(
    caller: Caller,
    policyId: string,
    block: BlockReference,
    explainAs: ExplainAs = {},
  ): Promise<BlockExplanation> {
    const { policy, as } = await this.#policyFor(caller, policyId, explainAs, 'explanations.block');
    return this.#explanations.ofBlock(policy, block, as);
  }

  /**
   * Whether a block that shows documents, such as a grid, shows this one: for each of its sources the conditions, whose they are,
   * and which of them the document does not meet. What the document has is told to the policy's owner only. Others learn
   * about documents that are theirs, assigned to them, or shown to them by the block; any other is `DOCUMENT_UNKNOWN` for them.
   * Throws `DOCUMENT_UNKNOWN`, `BLOCK_WITHOUT_DOCUMENTS`, `BLOCK_MISCONFIGURED`, `BLOCK_TYPE_UNKNOWN`, and what every
   * method throws, `ENGINE_CLOSED` among them.
   */
  async document(
    caller: Caller,
    policyId: string,
    block: BlockReference,
    documentId: string,
    explainAs: ExplainAs = {},
  ): Promise<SelectionExplanation> {
    const { policy, as } = await this.#policyFor(caller, policyId, explainAs, 'explanations.document');
    const document = await this.#deps.store.get('document', policyId, documentId);
    const showValues = policy.record.owner === caller.did;
    // Without a document of that id the block is explained for none, so that both refusals take the same way.
    const explained = await this.#explanations.ofDocument(policy, block, document ?? noDocument(policyId, documentId), {
      did: as,
      showValues,
    });
    const isKnown = showValues || isTheirs(document, caller) || explained.isShown;
    if (document === undefined || !isKnown) {
      throw new BlockworkError('DOCUMENT_UNKNOWN', { facts: { policyId, documentId } });
    }
    return explained;
  }

  /** The policy, and in whose place it is explained. */
  async #policyFor(
    caller: Caller,
    policyId: string,
    explainAs: ExplainAs,
    method: string,
  ): Promise<{ policy: OpenPolicy; as: string }> {
    this.#gate.admit(caller, 'POLICIES_POLICY_EXECUTE');
    demandOptions(explainAs, method, 'explainAs');
    const { as = caller.did } = explainAs;
    const policy = await this.#deps.policies.open(policyId);
    if (as !== caller.did && policy.record.owner !== caller.did) {
      throw new BlockworkError('POLICY_NOT_OWNED', { facts: { policyId } });
    }
    return { policy, as };
  }
}

const isTheirs = (document: DocumentRecord | undefined, { did }: Caller): boolean =>
  document !== undefined && (document.owner === did || document.assignedTo === did);

const noDocument = (policyId: string, id: string): DocumentRecord => ({
  id,
  policyId,
  owner: '',
  dataType: 'vc-documents',
  document: {},
  option: {},
  createDate: '',
  updateDate: '',
});
