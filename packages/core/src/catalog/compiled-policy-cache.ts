/** The policies that are open: compiled once, kept while they are used, compiled anew when they change. */
import { LRUCache } from 'lru-cache';
import { BlockworkError } from '../errors.js';
import { compilePolicy } from '../policy/index.js';
import type { PolicyTree } from '../policy/index.js';
import type { PolicyStore } from '../ports/index.js';
import { deepFreeze, INSTANCE } from '../records/index.js';
import type { StoredPolicy } from '../records/index.js';
import { revisionKeys } from '../transactions/index.js';
import type { BlockRegistry } from './block-registry.js';
import type { PolicyView } from '../block-api/index.js';

export interface OpenPolicy {
  readonly id: string;
  readonly record: StoredPolicy;
  readonly tree: PolicyTree;
  readonly view: PolicyView;
}

export class CompiledPolicyCache {
  readonly #store: PolicyStore;
  readonly #registry: BlockRegistry;
  readonly #compiling = new Map<string, Promise<OpenPolicy>>();
  readonly #open: LRUCache<string, { revision: number; policy: OpenPolicy }>;

  constructor(store: PolicyStore, registry: BlockRegistry, limits: { readonly openPolicies: number }) {
    this.#store = store;
    this.#registry = registry;
    this.#open = new LRUCache({ max: limits.openPolicies });
  }

  /** Throws `POLICY_UNKNOWN`. */
  async open(policyId: string): Promise<OpenPolicy> {
    const revision = await this.#store.revision(revisionKeys.definition.of(policyId));
    const known = this.#open.get(policyId);
    if (known?.revision === revision) return known.policy;
    return this.#compileOnce(policyId, revision);
  }

  /** Everybody who asks for a policy while it is being compiled waits for the same one. */
  #compileOnce(policyId: string, revision: number): Promise<OpenPolicy> {
    const key = `${String(revision)}/${policyId}`;
    let compiling = this.#compiling.get(key);
    if (compiling === undefined) {
      compiling = this.#compile(policyId)
        .then((policy) => {
          this.#open.set(policyId, { revision, policy });
          return policy;
        })
        .finally(() => this.#compiling.delete(key));
      this.#compiling.set(key, compiling);
    }
    return compiling;
  }

  async #compile(policyId: string): Promise<OpenPolicy> {
    const [record, configuration] = await Promise.all([
      this.#store.get('policy', INSTANCE, policyId),
      this.#store.get('configuration', policyId, policyId),
    ]);
    if (record === undefined || configuration === undefined) {
      throw new BlockworkError('POLICY_UNKNOWN', { facts: { policyId } });
    }
    const groups = record.policyGroups ?? [];
    // Answers hold parts of the tree, which is shared by everybody who reads the policy.
    const tree = compilePolicy(
      deepFreeze(configuration.config),
      { policyId, roles: record.policyRoles, groups, navigation: record.policyNavigation ?? [] },
      this.#registry,
    );
    const view: PolicyView = {
      id: record.id,
      name: record.name,
      owner: record.owner,
      status: record.status,
      roles: record.policyRoles,
      groups,
      topics: record.policyTopics ?? [],
      tokenTemplates: record.policyTokens ?? [],
      policyTag: record.policyTag,
      messageId: record.messageId,
      blocks: tree.blocks,
      blockByTag: (tag) => tree.byTag.get(tag),
    };
    return { id: record.id, record, tree, view };
  }
}
