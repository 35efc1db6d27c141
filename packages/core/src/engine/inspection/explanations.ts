/** Explains why a block is or is not open to a user, and why it shows them a document or not. */
import type { Caller } from '../../access/index.js';
import type { BlockReference, OpenPolicy } from '../../catalog/index.js';
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
import type { PolicySight } from '../people/policy-sight.js';

export interface ExplanationsDeps {
  readonly store: RecordReader;
  readonly sight: PolicySight;
  readonly runDeps: ReadScopeDeps;
}

export interface ExplainAs {
  /** The identity to explain for. Only the policy's owner may give another than their own. Default: the caller. */
  readonly as?: string | undefined;
}

/**
 * Every method throws `PERMISSION_DENIED` (`POLICIES_POLICY_EXECUTE`), `POLICY_UNKNOWN`, `POLICY_NOT_OWNED` for
 * identities other than the caller, `BLOCK_UNKNOWN`, `ENGINE_CLOSED`.
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
   * The decision for a block with each of its steps, from the root down, and whether it can be read and written now.
   * This is the decision `readBlock` and `sendToBlock` make. Throws the errors common to all methods, such as
   * `ENGINE_CLOSED`.
   *
   * @example const { outcome } = await engine.explanations.block(owner, policyId, { tag: 'form' });
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
   * Whether a block that shows documents, such as a grid, shows this one: each source's conditions, their origin, and
   * which of them the document fails. The document's values are disclosed to the policy's owner only. Others can ask
   * about documents that they own, that are assigned to them, or that the block shows them; any other is
   * `DOCUMENT_UNKNOWN`. Throws `DOCUMENT_UNKNOWN`, `BLOCK_WITHOUT_DOCUMENTS`, `BLOCK_MISCONFIGURED`,
   * `BLOCK_TYPE_UNKNOWN`, and the errors common to all methods, such as `ENGINE_CLOSED`.
   *
   * @example const why = await engine.explanations.document(owner, policyId, { tag: 'notes' }, documentId);
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
    // Without a document the explanation still runs, so that unknown and forbidden documents are indistinguishable.
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

  /** The policy, and the identity to explain for. */
  async #policyFor(
    caller: Caller,
    policyId: string,
    explainAs: ExplainAs,
    method: string,
  ): Promise<{ policy: OpenPolicy; as: string }> {
    this.#gate.admit(caller, 'POLICIES_POLICY_EXECUTE');
    demandOptions(explainAs, method, 'explainAs');
    const { as = caller.did } = explainAs;
    const policy = await this.#deps.sight.open(caller, policyId);
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
