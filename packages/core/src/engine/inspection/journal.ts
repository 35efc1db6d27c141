/** The journal of a policy, for its owner. */
import type { Caller } from '../../access/index.js';
import type { CompiledPolicyCache } from '../../catalog/index.js';
import type { JournalEntry } from '../../records/index.js';
import type { RecordReader } from '../../transactions/index.js';
import type { Gate } from '../gate.js';
import type { EngineLimits } from '../limits.js';
import { boundedRange, pageOf, type ListPage, type Range } from '../page.js';
import { ownPolicy } from './own-policy.js';

export interface JournalDeps {
  readonly store: RecordReader;
  readonly policies: CompiledPolicyCache;
  readonly limits: Pick<EngineLimits, 'pageBytes'>;
}

/** Every method throws `PERMISSION_DENIED` (`POLICIES_POLICY_MANAGE`), `POLICY_UNKNOWN`, `POLICY_NOT_OWNED`, `ENGINE_CLOSED`. */
export class Journal {
  constructor(
    private readonly gate: Gate,
    private readonly deps: JournalDeps,
  ) {}

  /**
   * A page of the journal, oldest entry first: one for each unit of work that changed more than what a user looks at. 100
   * entries when `range` says no limit. Throws `INPUT_INVALID` for a limit above 1000, and what every method throws,
   * `ENGINE_CLOSED` among them.
   */
  async list(caller: Caller, policyId: string, range: Range = {}): Promise<ListPage<JournalEntry>> {
    const { store, policies, limits } = this.deps;
    await ownPolicy(this.gate, policies, caller, policyId);
    return pageOf(store, 'journal', policyId, { ...boundedRange(range), bytes: limits.pageBytes });
  }
}
