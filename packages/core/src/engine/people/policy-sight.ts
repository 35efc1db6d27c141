/**
 * Who sees what a policy is: everybody a published one. A draft or a dry run is for its owner and those he lets: its members
 * and the users of its trial. For others it does not exist, except that its blocks decide by themselves who may use them:
 * that is how one becomes a member.
 */
import type { Caller } from '../../access/index.js';
import type { ReadablePolicies } from '../../background/index.js';
import type { CompiledPolicyCache, OpenPolicy } from '../../catalog/index.js';
import { membershipsOfEach } from '../../context/index.js';
import { BlockworkError, isBlockworkError } from '../../errors.js';
import type { RecordQuery } from '../../ports/index.js';
import { allOf, equalTo, INSTANCE, offeredOrigin, statusesThatAre, statusIs } from '../../records/index.js';
import type { Condition, StoredPolicy } from '../../records/index.js';
import type { RecordReader } from '../../transactions/index.js';
import { trialOf } from '../../context/index.js';
import type { ListPage, Range } from '../page.js';

const isPrivate: Condition = { path: 'status', op: 'in', value: statusesThatAre('private') };
const isPublic: Condition = { not: isPrivate };

export interface PolicySightDeps {
  readonly store: RecordReader;
  readonly policies: CompiledPolicyCache;
  readonly readablePolicies: ReadablePolicies;
  /** `shared`: everybody sees those of others. */
  readonly drafts: 'private' | 'shared';
}

export class PolicySight {
  constructor(private readonly deps: PolicySightDeps) {}

  /** Throws `POLICY_UNKNOWN`, also where the caller may not see the policy. */
  async open(caller: Caller, policyId: string): Promise<OpenPolicy> {
    const policy = await this.deps.policies.open(policyId);
    if (await this.sees(caller, policy.record)) return policy;
    throw unknown(policyId);
  }

  /** As `work`, which only the owner may do; to those who do not see the policy, it is refused as `POLICY_UNKNOWN`. */
  async forOwner<T>(caller: Caller, policyId: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isBlockworkError(error, 'POLICY_NOT_OWNED')) throw error;
      const record = await this.deps.store.get('policy', INSTANCE, policyId);
      throw record === undefined || (await this.sees(caller, record)) ? error : unknown(policyId);
    }
  }

  async sees(caller: Caller, { id, owner, status }: Pick<StoredPolicy, 'id' | 'owner' | 'status'>): Promise<boolean> {
    if (!statusIs(status, 'private') || owner === caller.did || this.deps.drafts === 'shared') return true;
    const { store } = this.deps;
    if ((await store.count('membership', id, equalTo('did', caller.did))) > 0) return true;
    return this.#isLet(caller.did, { id, status });
  }

  /** A page of the policies that the caller sees, oldest first, cut at so many bytes; `total` counts all of them. */
  async page(caller: Caller, range: Range & { readonly bytes: number }): Promise<ListPage<StoredPolicy>> {
    if (this.deps.drafts === 'shared') return this.#all(range);
    const ids = await this.#unpublishedOfOthers(caller);
    const isSeen: Condition[] = [isPublic, equalTo('owner', caller.did)];
    if (ids.length > 0) isSeen.push({ path: 'id', op: 'in', value: ids });
    return this.#all({ ...range, where: { any: isSeen } });
  }

  /** The ids of all policies that the caller sees, oldest first. Copies none of them. */
  async ids(caller: Caller): Promise<string[]> {
    const all = await this.deps.readablePolicies.shared();
    if (this.deps.drafts === 'shared') return all.map(({ id }) => id);
    const shown = new Set(await this.#unpublishedOfOthers(caller));
    return all
      .filter(({ id, owner, status }) => !statusIs(status, 'private') || owner === caller.did || shown.has(id))
      .map(({ id }) => id);
  }

  /** As `#isLet`, for many policies with few queries. */
  async #letAmong(did: string, policies: readonly Pick<StoredPolicy, 'id' | 'status'>[]): Promise<ReadonlySet<string>> {
    if (policies.length === 0) return new Set();
    const { store } = this.deps;
    const value = policies.map(({ id }) => offeredOrigin(id));
    const inTrial = policies.filter(({ status }) => status === 'DRY-RUN').map(({ id }) => id);
    const [offered, trials] = await Promise.all([
      store.find('policy-origin', INSTANCE, { where: { path: 'id', op: 'in', value } }),
      store.findEach === undefined || inTrial.length === 0
        ? Promise.all(inTrial.map(async (id) => [await trialOf(store, id)]))
        : store.findEach('trial', inTrial),
    ]);
    const own = inTrial.filter((_, at) =>
      (trials[at] ?? []).some(({ users }) => users.some((user) => user.did === did)),
    );
    return new Set([...offered.map(({ policyId }) => policyId), ...own]);
  }

  async #all(query: RecordQuery): Promise<ListPage<StoredPolicy>> {
    const { items, total } = await this.deps.readablePolicies.page(query);
    return { items: [...items], total };
  }

  /** Whether it is the caller's trial, or was offered by another instance, whose owner has nobody else here. */
  async #isLet(did: string, { id, status }: Pick<StoredPolicy, 'id' | 'status'>): Promise<boolean> {
    const { store } = this.deps;
    if (status === 'DRY-RUN' && (await trialOf(store, id)).users.some((user) => user.did === did)) return true;
    return (await store.get('policy-origin', INSTANCE, offeredOrigin(id))) !== undefined;
  }

  /** Those of others to which the caller was let. */
  async #unpublishedOfOthers({ did }: Caller): Promise<string[]> {
    const { store, readablePolicies } = this.deps;
    const others = await readablePolicies.shared(allOf(isPrivate, { path: 'owner', op: 'ne', value: did }));
    const memberships = await membershipsOfEach(
      store,
      others.map(({ id }) => id),
      did,
    );
    const foreign = others.filter((_, at) => (memberships[at] ?? []).length === 0);
    const visible = await this.#letAmong(did, foreign);
    return others.filter(({ id }, at) => (memberships[at] ?? []).length > 0 || visible.has(id)).map(({ id }) => id);
  }
}

const unknown = (policyId: string): BlockworkError => new BlockworkError('POLICY_UNKNOWN', { facts: { policyId } });
