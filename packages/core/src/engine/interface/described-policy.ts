/** The interface of a stored policy. Apart from that of a policy's file, which is described without what reads a store. */
import type { BlockRegistry, OpenPolicy } from '../../catalog/index.js';
import { PolicyDefinitions } from '../../context/index.js';
import { BlockworkError } from '../../errors.js';
import type { RecordReader } from '../../transactions/index.js';
import type { EngineLimits } from '../limits.js';
import { policyInterface, type PolicyInterface } from './policy-interface.js';

export interface DescribedPolicy {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly interface: PolicyInterface;
}

interface DescriptionDeps {
  readonly store: RecordReader;
  readonly registry: BlockRegistry;
  readonly limits: Pick<EngineLimits, 'pageBytes'>;
}

/** Throws `PAGE_TOO_LARGE`. */
export async function describePolicy(
  policy: OpenPolicy,
  { store, registry, limits: { pageBytes } }: DescriptionDeps,
  audience: readonly string[] | undefined,
): Promise<DescribedPolicy> {
  const { id, record, tree } = policy;
  const schemas = await new PolicyDefinitions(store, policy).schemas();
  const described = policyInterface({ tree, schemas }, registry, audience);
  if (Buffer.byteLength(JSON.stringify(described)) > pageBytes) {
    throw new BlockworkError('PAGE_TOO_LARGE', { facts: { limit: pageBytes } });
  }
  const { name, version, description } = record;
  return { id, name, version, description, interface: described };
}
