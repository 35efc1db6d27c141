/** Reads and units of work, with what observers hear of them. */
import { isBlockworkError } from '../errors.js';
import type { Inspector } from '../ports/index.js';
import type { Json } from '../records/index.js';
import type { BlockReference } from '../catalog/index.js';
import { lanes, revisionKeys } from '../transactions/index.js';
import type { Executor, UnitOfWork } from '../transactions/index.js';
import type { Ran } from '../runtime/index.js';

export class InstrumentedRuns {
  constructor(
    private readonly inspector: Inspector,
    private readonly executor: Executor,
  ) {}

  async read<T extends { readonly tag: string }>(
    did: string,
    policyId: string,
    block: BlockReference,
    read: () => Promise<T>,
  ): Promise<T> {
    try {
      const answered = await read();
      this.inspector({ type: 'block.read', policyId, tag: answered.tag, did });
      return answered;
    } catch (error) {
      this.inspector({ type: 'block.refused', policyId, tag: nameOf(block), did, code: codeOf(error) });
      throw error;
    }
  }

  /** One unit of work of a policy. `tag` names it where it fails. */
  async run(did: string, policyId: string, tag: string, work: (unit: UnitOfWork) => Promise<Ran>): Promise<Json> {
    try {
      const { result, changes, attempts } = await this.executor.run(
        lanes.policy.of(policyId),
        [revisionKeys.policy.of(policyId)],
        work,
      );
      for (const { target, input, did: actor } of result.log.events) {
        this.inspector({ type: 'block.ran', policyId, tag: target, input, did: actor });
      }
      this.inspector({ type: 'unit.committed', policyId, tag: result.tag, did, changes, attempts });
      return result.answer;
    } catch (error) {
      this.inspector({ type: 'unit.failed', policyId, tag, did, code: codeOf(error) });
      throw error;
    }
  }
}

export const nameOf = (block: BlockReference): string => ('tag' in block ? block.tag : block.uuid);
const codeOf = (error: unknown): string => (isBlockworkError(error) ? error.code : 'INTERNAL');
