/** Adds documents that no block made to a policy. */
import type { CompiledPolicyCache } from '../catalog/index.js';
import { PolicyDocumentsWriter, RunLog } from '../context/index.js';
import type { Clock, Ids } from '../ports/index.js';
import type { DocumentInput, DocumentRecord } from '../records/index.js';
import { lanes, revisionKeys } from '../transactions/index.js';
import type { Executor } from '../transactions/index.js';

export class DocumentImporter {
  constructor(
    private readonly executor: Executor,
    private readonly policies: CompiledPolicyCache,
    private readonly ports: { readonly clock: Clock; readonly ids: Ids },
  ) {}

  /** As `Program.documents.add`. */
  async add(policyId: string, documents: readonly DocumentInput[]): Promise<DocumentRecord[]> {
    await this.policies.open(policyId);
    const key = revisionKeys.policy.of(policyId);
    const { result } = await this.executor.run(lanes.policy.of(policyId), [key], async (unit) => {
      const log = new RunLog();
      const writer = new PolicyDocumentsWriter(unit, policyId, this.ports, log);
      const added: DocumentRecord[] = [];
      for (const [position, document] of documents.entries()) added.push(await writer.add(document, position));
      if (added.length > 0) {
        unit.put('journal', policyId, log.entry({ type: 'importer' }, unit.expected(key), this.ports.clock));
      }
      return added;
    });
    return result;
  }
}
