/** The importer of documents: how those that no block made get into a policy. */
import type { Clock, Ids } from '../ports/index.js';
import type { DocumentInput, DocumentRecord } from '../records/index.js';
import type { Executor } from '../transactions/index.js';
import { PolicyDocumentsWriter } from '../context/index.js';
import type { CompiledPolicyCache } from '../catalog/index.js';
import { RunLog } from '../context/index.js';

export class DocumentImporter {
  constructor(
    private readonly executor: Executor,
    private readonly policies: CompiledPolicyCache,
    private readonly ports: { readonly clock: Clock; readonly ids: Ids },
  ) {}

  /**
   * Adds documents to a policy, all of them or none. What is missing is filled in: `id`, `createDate`, and
   * `dataType` by the document's own type (a presentation, else a credential).
   * Throws `POLICY_UNKNOWN`, `DOCUMENT_INVALID` (with the position, counted from 0) and `DOCUMENT_EXISTS`.
   */
  async add(policyId: string, documents: readonly DocumentInput[]): Promise<DocumentRecord[]> {
    await this.policies.open(policyId);
    const { result } = await this.executor.run(policyId, [policyId], async (unit) => {
      const log = new RunLog();
      const writer = new PolicyDocumentsWriter(unit, policyId, this.ports, log);
      const added: DocumentRecord[] = [];
      for (const [position, document] of documents.entries()) added.push(await writer.add(document, position));
      if (added.length > 0) {
        unit.put('journal', policyId, log.entry({ type: 'importer' }, unit.expected(policyId), this.ports.clock));
      }
      return added;
    });
    return result;
  }
}
