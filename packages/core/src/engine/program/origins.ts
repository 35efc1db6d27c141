/** The places that policies were imported from, for the program that imports a folder of them at each start. */
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

  /** What was imported with this `origin`, whether or not it is still here; `undefined` where nothing was. Throws `ENGINE_CLOSED`. */
  async get(origin: string): Promise<PolicyOrigin | undefined> {
    this.gate.assertOpen();
    return this.records.get('policy-origin', INSTANCE, origin);
  }

  /** Notes the origin of a policy that was imported without one, or replaces what is noted. Throws `ENGINE_CLOSED`. */
  async note(origin: PolicyOrigin): Promise<void> {
    this.gate.assertOpen();
    demandObject(origin, 'program.origins.note', 'origin', 'id, policyId and documents');
    const { id, policyId, documents } = origin;
    await this.importer.noteOrigin({ id, policyId, documents });
  }
}
