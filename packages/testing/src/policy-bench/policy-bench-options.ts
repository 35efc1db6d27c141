/** Options of a policy bench. */
import type { EngineLimits } from '@blockwork/core';
import { optionTypes, type OptionsOf } from '@blockwork/core/adapter';
import type { BlockType } from '@blockwork/core/block';
import { SimulatedClock } from '../simulated-timers.js';

export const policyBenchShape = {
  /** Status of the policy at the start. Default: `dry-run`. */
  status: optionTypes.oneOf('draft', 'dry-run', 'published'),
  /** Further block types; one with the name of a standard block replaces it. */
  blocks: optionTypes.as<readonly BlockType[]>(optionTypes.list()),
  limits: optionTypes.as<Partial<EngineLimits>>(optionTypes.object),
  /** Default: a clock that stands at 2026-01-01T00:00:00Z. */
  clock: optionTypes.satisfying<SimulatedClock>((value) => value instanceof SimulatedClock, 'must be a SimulatedClock'),
  /** Default: `SequentialIds`. */
  ids: optionTypes.ids,
  /** Default: in memory. The bench closes it. */
  store: optionTypes.store,
  /** An external ledger. Default: none. The bench closes it. */
  ledger: optionTypes.ledger,
  /** What documents are signed with. Default: `eddsa-jcs-2022`; `Ed25519Signature2018` needs `linkedData`. */
  proofs: optionTypes.oneOf('eddsa-jcs-2022', 'Ed25519Signature2018'),
  /** Reads documents as linked data, such as `linkedData()` of `@blockwork/linked-data`. */
  linkedData: optionTypes.linkedData,
};

export type PolicyBenchOptions = OptionsOf<typeof policyBenchShape>;
