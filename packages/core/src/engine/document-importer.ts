/** Adds documents that were not created by a block. */
import type { CompiledPolicyCache } from '../catalog/index.js';
import { type DocumentWriterDeps, PolicyDocumentsWriter, RunLog } from '../context/index.js';
import type { DocumentInput, DocumentRecord } from '../records/index.js';
import { lanes, revisionKeys } from '../transactions/index.js';
import type { Executor, UnitOfWork } from '../transactions/index.js';

export class DocumentImporter {
  constructor(
    private readonly executor: Executor,
    private readonly policies: CompiledPolicyCache,
    private readonly deps: DocumentWriterDeps,
  ) {}

  /** As `Program.documents.add`. */
  async add(policyId: string, documents: readonly DocumentInput[]): Promise<DocumentRecord[]> {
    await this.policies.open(policyId);
    const key = revisionKeys.policy.of(policyId);
    const { result } = await this.executor.run(lanes.policy.of(policyId), [key], (unit) =>
      this.addTo(unit, policyId, documents),
    );
    return result;
  }

  /** As part of a unit of work of the policy. */
  async addTo(unit: UnitOfWork, policyId: string, documents: readonly DocumentInput[]): Promise<DocumentRecord[]> {
    const log = new RunLog();
    const writer = new PolicyDocumentsWriter(unit, policyId, this.deps, log);
    const added: DocumentRecord[] = [];
    for (const [position, document] of documents.entries()) added.push(await writer.add(document, position));
    if (added.length === 0) return added;
    const revision = unit.expected(revisionKeys.policy.of(policyId));
    unit.put('journal', policyId, log.entry({ type: 'importer' }, revision, this.deps.clock));
    return added;
  }
}
