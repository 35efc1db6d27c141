/** Options of a policy bench. */
import type { EngineLimits, Ids, Ledger, PolicyStore } from '@blockwork/core';
import { optionTypes, type OptionShape } from '@blockwork/core/adapter';
import type { BlockType } from '@blockwork/core/block';
import { SimulatedClock } from '../simulated-clock.js';

export interface PolicyBenchOptions {
  /** Status of the policy at the start. Default: `dry-run`. */
  readonly status?: 'draft' | 'dry-run' | 'published';
  /** Further block types; one with the name of a standard block replaces it. */
  readonly blocks?: readonly BlockType[];
  readonly limits?: Partial<EngineLimits>;
  /** Default: a clock that stands at 2026-01-01T00:00:00Z. */
  readonly clock?: SimulatedClock;
  /** Default: `SequentialIds`. */
  readonly ids?: Ids;
  /** Default: in memory. The bench closes it. */
  readonly store?: PolicyStore;
  /** An external ledger. Default: none. The bench closes it. */
  readonly ledger?: Ledger;
}

export const policyBenchShape: OptionShape<PolicyBenchOptions> = {
  status: optionTypes.oneOf('draft', 'dry-run', 'published'),
  blocks: optionTypes.list(),
  limits: optionTypes.object,
  clock: optionTypes.satisfying((value) => value instanceof SimulatedClock, 'must be a SimulatedClock'),
  ids: optionTypes.ids,
  store: optionTypes.store,
  ledger: optionTypes.ledger,
};
