/** What a policy bench is made of, where a test wants something else than the usual. */
import type { EngineLimits, Ids, Ledger, PolicyStore } from '@blockwork/core';
import type { AnyBlockType } from '@blockwork/core/block';

import type { SimulatedClock } from '../simulated-clock.js';

export interface PolicyBenchOptions {
  /** What the policy is when the test begins: on trial when absent. */
  readonly status?: 'draft' | 'dry-run' | 'published';
  /** Block types of your own, beside the standard ones; one of the same name replaces it. */
  readonly blocks?: readonly AnyBlockType[];
  readonly limits?: Partial<EngineLimits>;
  /** Stands still at the beginning of 2026 when absent. */
  readonly clock?: SimulatedClock;
  /** Counts up when absent. */
  readonly ids?: Ids;
  /** In memory when absent. The bench closes it. */
  readonly store?: PolicyStore;
  /** A ledger outside of the engine; none when absent. The bench closes it. */
  readonly ledger?: Ledger;
}
