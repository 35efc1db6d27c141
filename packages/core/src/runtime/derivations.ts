/**
 * Derivations of documents: the block that created a document, its source documents, and how each field is computed.
 */
import { isDeepStrictEqual } from 'node:util';
import { policyUser } from '../access/index.js';
import type { DerivedField, DerivedVariable } from '../block-api/index.js';
import type { OpenPolicy } from '../catalog/index.js';
import { membershipsOf } from '../context/index.js';
import { isBlockworkError } from '../errors.js';
import type { BlockNode } from '../policy/index.js';
import { equalTo } from '../records/index.js';
import type { DocumentRecord, JournalEntry } from '../records/index.js';
import type { RecordReader } from '../transactions/index.js';
import type { ExplainedBlock } from './explanations.js';
import { ReadScope, type ReadScopeDeps } from './read-scope.js';

/** One block that creates documents of this kind. */
export interface BlockDerivation {
  readonly block: ExplainedBlock;
  /** The documents it was created from, oldest first, as far as the policy still has them. */
  readonly sources: readonly { readonly id: string; readonly type: string }[];
  /** In the order in which they are computed. */
  readonly variables: readonly DerivedVariable[];
  readonly fields: readonly (DerivedField & {
    /** Whether the document contains the value computed now. */
    readonly isSame: boolean;
  })[];
  /** JavaScript that may override every field; it is not run again. */
  readonly script?: string;
  /** Why the derivation cannot be computed again; then only the block is known. */
  readonly problem?: string;
}

export interface DocumentDerivation {
  readonly documentId: string;
  /** Id of the journal entry that added the document; `null` once that is no longer available. */
  readonly entryId: string | null;
  /** Whether the blocks ran in that unit of work; otherwise they are those that could have created the document. */
  readonly isRecorded: boolean;
  /** Empty for a document that is not calculated, such as a form that was filled in. */
  readonly blocks: readonly BlockDerivation[];
}

/** Computed as the owner of the policy, who sees all documents. */
export async function derivationOf(
  policy: OpenPolicy,
  document: DocumentRecord,
  records: RecordReader,
  deps: ReadScopeDeps,
): Promise<DocumentDerivation> {
  const { owner } = policy.record;
  const [memberships, [entry]] = await Promise.all([
    membershipsOf(records, policy.id, owner),
    records.find('journal', policy.id, { where: equalTo('documents.added', document.id), limit: 1 }),
  ]);
  const scope = new ReadScope(policy, policyUser({ did: owner }, owner, memberships), records, deps);
  const able: { node: BlockNode; derivation: BlockDerivation }[] = [];
  for (const node of policy.tree.byTag.values()) {
    const derivation = await derivedBy(scope, node, document);
    if (derivation !== null) able.push({ node, derivation });
  }
  const ran = able.filter(({ node }) => entry !== undefined && hasRunIn(entry, node));
  const isRecorded = ran.length > 0;
  const blocks = (isRecorded ? ran : able).map(({ derivation }) => derivation);
  return { documentId: document.id, entryId: entry?.id ?? null, isRecorded, blocks };
}

const hasRunIn = ({ events }: JournalEntry, { tag }: BlockNode): boolean => events.some(({ target }) => target === tag);

async function derivedBy(scope: ReadScope, node: BlockNode, document: DocumentRecord): Promise<BlockDerivation | null> {
  const type = scope.typeOf(node);
  if (type?.derive === undefined || node.options === null) return null;
  const { uuid, tag, blockType } = node;
  const block = { uuid, tag, blockType };
  try {
    const derived = await type.derive(scope.context(node), document);
    if (derived === null) return null;
    const { sources, variables, fields, script } = derived;
    const documents = await scope.context(node).documents.find({ path: 'id', op: 'in', value: [...sources] });
    return {
      block,
      sources: documents.map((each) => ({ id: each.id, type: each.type ?? each.schema ?? each.dataType })),
      variables,
      fields: fields.map((field) => ({ ...field, isSame: isDeepStrictEqual(field.value, field.found) })),
      ...(script !== undefined && { script }),
    };
  } catch (error) {
    if (!isBlockworkError(error) || error.status >= 500) throw error;
    return { block, sources: [], variables: [], fields: [], problem: error.message };
  }
}
