/** Import origins of policies, for programs that import a folder at every start. */
import type { PolicyImporter } from '../../catalog/index.js';
import { demandObject } from '../../options/index.js';
import { INSTANCE } from '../../records/index.js';
import type { PolicyOrigin } from '../../records/index.js';
import type { RecordReader } from '../../transactions/index.js';
import type { Gate } from '../gate.js';

export class ProgramOrigins {
  constructor(
    private readonly gate: Gate,
    private readonly records: RecordReader,
    private readonly importer: PolicyImporter,
  ) {}

  /**
   * The policy imported with this `origin`, even if it no longer exists; `undefined` if there was none. Throws
   * `ENGINE_CLOSED`.
   *
   * @example const origin = await engine.program.origins.get('registry.policy');
   */
  async get(origin: string): Promise<PolicyOrigin | undefined> {
    this.gate.assertOpen();
    return this.records.get('policy-origin', INSTANCE, origin);
  }

  /**
   * Records or replaces the origin of an imported policy. Throws `ENGINE_CLOSED`.
   *
   * @example await engine.program.origins.note({ id: 'registry.policy', policyId, documents: 0 });
   */
  async note(origin: PolicyOrigin): Promise<void> {
    this.gate.assertOpen();
    demandObject(origin, 'program.origins.note', 'origin', 'id, policyId and documents');
    const { id, policyId, documents } = origin;
    await this.importer.noteOrigin({ id, policyId, documents });
  }
}
