/** Users of a block bench, with the memberships that the test gives them. */
import { isBlockworkError, type Caller, type Clock, type PolicyStore } from '@blockwork/core';
import type { Membership } from '@blockwork/core/block';
import type { BenchUser } from './bench-setup.js';
import { BENCH_OWNER } from './fixtures.js';

export class BenchMembers {
  constructor(
    private readonly store: PolicyStore,
    private readonly clock: Clock,
  ) {}

  /** Makes the requested membership the user's active one and returns the caller. */
  async enter(policyId: string, { role = 'NO_ROLE', did, group }: BenchUser): Promise<Caller> {
    const identity = did ?? (role === 'OWNER' ? BENCH_OWNER : `did:bench:${role.toLowerCase()}`);
    const requested = role === 'OWNER' || role === 'NO_ROLE' ? null : this.#membership(policyId, identity, role, group);
    await this.#activate(policyId, identity, requested);
    return { did: identity, role: role === 'OWNER' ? 'STANDARD_REGISTRY' : 'USER' };
  }

  async #activate(policyId: string, did: string, requested: Membership | null): Promise<void> {
    const revision = await this.store.revision(policyId);
    const known = await this.store.find('membership', policyId, { where: { path: 'did', op: 'eq', value: did } });
    const deactivated = known
      .filter(({ id, active }) => active && id !== requested?.id)
      .map((other) => ({ ...other, active: false }));
    const isActive = known.some(({ id, active }) => active && id === requested?.id);
    const changed = requested === null || isActive ? deactivated : [...deactivated, requested];
    if (changed.length === 0) return;
    const changes = changed.map((value) => ({ op: 'put', kind: 'membership', partition: policyId, value }) as const);
    try {
      await this.store.commit({ expect: { [policyId]: revision }, changes });
    } catch (error) {
      if (!isBlockworkError(error, 'CONFLICT')) throw error;
      await this.#activate(policyId, did, requested);
    }
  }

  #membership(policyId: string, did: string, role: string, group: string | undefined): Membership {
    const uuid = group ?? `${did}/${role}`;
    return {
      id: `${uuid}/${did}`,
      uuid,
      policyId,
      did,
      owner: did,
      role,
      groupName: role,
      groupLabel: role,
      groupRelationshipType: group === undefined ? 'Single' : 'Multiple',
      groupAccessType: 'Private',
      active: true,
      createDate: new Date(this.clock.now()).toISOString(),
    };
  }
}
