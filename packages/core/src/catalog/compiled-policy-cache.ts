/** Open policies: compiled once, cached while in use, recompiled when they change. */
import type { LRUCache } from 'lru-cache';
import { BlockworkError } from '../errors.js';
import { LoopShare } from '../loop-share.js';
import { lruCache } from '../lru-cache.js';
import { compiling } from '../policy/index.js';
import type { PolicyTree } from '../policy/index.js';
import type { Clock, PolicyStore } from '../ports/index.js';
import { deepFreeze, INSTANCE } from '../records/index.js';
import type { BlockSource, SchemaRecord, StoredPolicy, ToolRecord } from '../records/index.js';
import { revisionKeys } from '../transactions/index.js';
import type { BlockRegistry } from './block-registry.js';
import type { PolicyView } from '../block-api/index.js';
import type { ToolLibrary } from './tool-library.js';

export interface OpenPolicy {
  readonly id: string;
  /** Revision of the policy's definition. */
  readonly revision: number;
  readonly record: StoredPolicy;
  readonly tree: PolicyTree;
  readonly view: PolicyView;
  /** The root block as stored, without the blocks of tools. */
  readonly config: BlockSource;
  /** Whether it was imported from an archive. */
  readonly archived: boolean;
  /** The tools inlined in the tree. */
  readonly tools: readonly ToolRecord[];
  /** The revision of the tools it was compiled with; `null` if it uses none. */
  readonly toolsRevision: number | null;
}

export interface CompiledPolicyCacheDeps {
  readonly store: PolicyStore;
  readonly registry: BlockRegistry;
  readonly tools: ToolLibrary;
  readonly clock: Clock;
  readonly limits: { readonly openPolicies: number };
}

export class CompiledPolicyCache {
  readonly #store: PolicyStore;
  readonly #registry: BlockRegistry;
  readonly #tools: ToolLibrary;
  readonly #clock: Clock;
  readonly #compiling = new Map<string, Promise<OpenPolicy>>();
  readonly #open: LRUCache<string, OpenPolicy>;
  /** The history of the store that they belong to. */
  #history: string | undefined;

  constructor({ store, registry, tools, clock, limits }: CompiledPolicyCacheDeps) {
    this.#store = store;
    this.#registry = registry;
    this.#tools = tools;
    this.#clock = clock;
    this.#open = lruCache(limits.openPolicies);
  }

  /** The policy as of the reader's snapshot, or the current one. Throws `POLICY_UNKNOWN`. */
  async open(policyId: string, reader: Pick<PolicyStore, 'revision'> = this.#store): Promise<OpenPolicy> {
    const key = revisionKeys.definition.of(policyId);
    const revision = await reader.revision(key);
    this.#dropOtherHistory();
    const cached = this.#open.get(policyId);
    if (cached?.revision === revision && (await this.#hasPresentTools(cached, reader))) return cached;
    const policy = await this.#compileOnce(policyId, revision);
    // It may have been replaced during the read, and a shared compilation may have started before a tool was imported.
    const present = await this.#store.revision(key);
    return present === revision && (await this.#hasPresentTools(policy)) ? policy : this.open(policyId);
  }

  async #hasPresentTools(
    { toolsRevision }: OpenPolicy,
    reader: Pick<PolicyStore, 'revision'> = this.#store,
  ): Promise<boolean> {
    return toolsRevision === null || toolsRevision === (await reader.revision(revisionKeys.tools.of()));
  }

  /** Concurrent requests for a policy share one compilation. */
  #compileOnce(policyId: string, revision: number): Promise<OpenPolicy> {
    const history = this.#store.history?.id;
    const key = JSON.stringify([revision, policyId, history]);
    let compiling = this.#compiling.get(key);
    if (compiling === undefined) {
      compiling = this.#compile(policyId, revision)
        .then((policy) => {
          if (history === this.#store.history?.id) this.#open.set(policyId, policy);
          return policy;
        })
        .finally(() => this.#compiling.delete(key));
      this.#compiling.set(key, compiling);
    }
    return compiling;
  }

  #dropOtherHistory(): void {
    const present = this.#store.history?.id;
    if (present !== this.#history) this.#open.clear();
    this.#history = present;
  }

  async #compile(policyId: string, revision: number): Promise<OpenPolicy> {
    const [record, configuration] = await Promise.all([
      this.#store.get('policy', INSTANCE, policyId),
      this.#store.get('configuration', policyId, policyId),
    ]);
    if (record === undefined || configuration === undefined) {
      throw new BlockworkError('POLICY_UNKNOWN', { facts: { policyId } });
    }
    return this.compile(record, configuration, revision);
  }

  /**
   * Compiles a policy that is not stored yet, or not in this form. `revision` is the one its definition will have. Not
   * cached.
   */
  async compile(
    record: StoredPolicy,
    { config, archived = false }: Pick<OpenPolicy, 'config'> & Partial<Pick<OpenPolicy, 'archived'>>,
    revision: number,
  ): Promise<OpenPolicy> {
    const policyId = record.id;
    const { policyGroups: groups = [], policyTopics: topics = [], policyTokens: tokenTemplates = [] } = record;
    const { expanded, tools, revision: toolsRevision } = await this.#tools.expand(record.owner, config);
    // Frozen because answers share parts of the tree with all readers.
    const steps = compiling(
      deepFreeze(expanded.config),
      {
        policyId,
        roles: record.policyRoles,
        groups,
        navigation: record.policyNavigation ?? [],
        topics,
        tokenTemplates,
        findings: expanded.findings,
      },
      this.#registry,
    );
    const tree = await new LoopShare(this.#clock).carryOut(steps);
    const view: PolicyView = {
      id: record.id,
      name: record.name,
      owner: record.owner,
      status: record.status,
      roles: record.policyRoles,
      groups,
      topics,
      tokenTemplates,
      policyTag: record.policyTag,
      messageId: record.messageId,
      blocks: tree.blocks,
      blockByTag: (tag) => tree.byTag.get(tag),
    };
    return { id: record.id, revision, record, tree, view, config, archived, tools, toolsRevision };
  }
}

/** A schema from one of the policy's tools. */
export const schemaOfTools = ({ tools }: Pick<OpenPolicy, 'tools'>, iri: string): SchemaRecord | undefined =>
  tools.flatMap(({ schemas }) => schemas).find(({ id }) => id === iri);
