/** The intake of documents: how those that no block made get into a policy. */
import type { Clock, Ids } from '../ports/index.js';
import type { DocumentInput, DocumentRecord } from '../records/index.js';
import type { Executor } from './executor.js';
import { PolicyDocumentsWriter } from './policy-documents.js';
import type { PolicyLibrary } from './policy-library.js';
import { RunLog } from './run-log.js';

export class DocumentIntake {
  constructor(
    private readonly executor: Executor,
    private readonly library: PolicyLibrary,
    private readonly ports: { readonly clock: Clock; readonly ids: Ids },
  ) {}

  /**
   * Adds documents to a policy, all of them or none. What is missing is filled in: `id`, `createDate`, and
   * `dataType` by the document's own type (a presentation, else a credential).
   * Throws `POLICY_UNKNOWN`, `DOCUMENT_INVALID` (with the position, counted from 0) and `DOCUMENT_EXISTS`.
   */
  async add(policyId: string, documents: readonly DocumentInput[]): Promise<DocumentRecord[]> {
    await this.library.open(policyId);
    const { result } = await this.executor.run(policyId, [policyId], async (unit) => {
      const log = new RunLog();
      const writer = new PolicyDocumentsWriter(unit, policyId, this.ports, log);
      const added: DocumentRecord[] = [];
      for (const [position, document] of documents.entries()) added.push(await writer.add(document, position));
      if (added.length > 0) {
        unit.put('journal', policyId, log.entry({ type: 'intake' }, unit.expected(policyId), this.ports.clock));
      }
      return added;
    });
    return result;
  }
}
