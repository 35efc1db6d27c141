/** The policy importer: turns a file or JSON value into a stored policy owned by its importer. */
import { BlockworkError } from '../errors.js';
import { entityNumber, messageIdAt } from '../ledger/index.js';
import { LoopShare } from '../loop-share.js';
import {
  type Finding,
  type PolicyBundle,
  type PolicyFileLimits,
  type PolicyText,
  readingPolicyFile,
  readingPolicyJson,
  renewBlockIds,
} from '../policy/index.js';
import { type Clock, type Ids, isoNow } from '../ports/index.js';
import {
  equalTo,
  INSTANCE,
  NIL_UUID,
  perCallerFields,
  type PolicyOrigin,
  policyRecord,
  type StoredPolicy,
} from '../records/index.js';
import { type Executor, lanes, revisionKeys, type UnitOfWork } from '../transactions/index.js';
import type { ToolLibrary } from './tool-library.js';
import { firstFree } from './unique-name.js';

export interface PolicyImporterDeps {
  readonly executor: Executor;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly tools: ToolLibrary;
  readonly limits: PolicyFileLimits;
}

/** Properties that the next version of a policy inherits. */
export interface PolicyLine {
  readonly uuid: string;
  readonly previousVersion: string;
  /** The version it is expected to be published as. */
  readonly version: string;
}

export interface ImportParts {
  /** Set if the policy is the next version of another one, under the same name. */
  readonly line?: PolicyLine;
  /** The embedding program's name for the place the policy comes from. */
  readonly origin?: string | undefined;
  /** Adds to the import's unit of work; resolves to the number of documents. */
  readonly include?: (unit: UnitOfWork, policyId: string) => Promise<number>;
}

export interface ImportedPolicy {
  readonly record: StoredPolicy;
  readonly findings: readonly Finding[];
  /** What it was read from, for the places of further findings. */
  readonly text?: PolicyText | undefined;
}

export class PolicyImporter {
  constructor(private readonly deps: PolicyImporterDeps) {}

  /** A policy file (bytes: an archive, or JSON text) gets new block ids, as in the reference; a JSON value keeps its ids. */
  async read(source: unknown): Promise<PolicyBundle> {
    const { clock, ids, limits } = this.deps;
    const share = new LoopShare(clock);
    if (!(source instanceof Uint8Array)) return share.carryOut(readingPolicyJson(source, { ids, limits }));
    const bundle = renewBlockIds(await share.carryOut(readingPolicyFile(source, { ids, limits })), ids);
    const { uuid: _uuid, policyTag: _policyTag, version: _version, ...about } = bundle.about;
    return { ...bundle, about: { ...about, extra: without(about.extra, ['id']) } };
  }

  /**
   * Stores the policy as a draft of `owner`; `include` adds to the same unit of work. A name or tag that is taken gets
   * a timestamp suffix. Throws `POLICY_EXISTS` if the policy from this origin still exists.
   */
  async add(source: unknown, owner: string, { line, origin, include }: ImportParts = {}): Promise<ImportedPolicy> {
    const bundle = await this.read(source);
    const draft = { ...this.#draft(bundle, owner), ...line };
    const { id } = draft;
    const keys = [revisionKeys.policies.of(), revisionKeys.policy.of(id), revisionKeys.definition.of(id)];
    const { result } = await this.deps.executor.run(lanes.policies.of(), keys, async (unit) => {
      if (origin !== undefined) await this.#assertNew(unit, origin);
      const record = await this.#distinct(draft, unit, line !== undefined);
      await this.put(unit, record, bundle);
      const documents = (await include?.(unit, id)) ?? 0;
      if (origin !== undefined) unit.put('policy-origin', INSTANCE, { id: origin, policyId: id, documents });
      return record;
    });
    const ofTools = await this.deps.tools.addCarried(owner, bundle.config, bundle.tools);
    await this.deps.tools.fetchMissing(owner, bundle.config);
    return { record: result, findings: [...bundle.findings, ...ofTools], text: bundle.text };
  }

  /** Records the origin of a policy that was imported without one. */
  async noteOrigin(origin: PolicyOrigin): Promise<void> {
    await this.deps.executor.run(lanes.policies.of(), [revisionKeys.policies.of()], async (unit) => {
      unit.put('policy-origin', INSTANCE, origin);
      return Promise.resolve();
    });
  }

  async #assertNew(unit: UnitOfWork, origin: string): Promise<void> {
    const existing = await unit.get('policy-origin', INSTANCE, origin);
    if (existing === undefined || (await unit.get('policy', INSTANCE, existing.policyId)) === undefined) return;
    throw new BlockworkError('POLICY_EXISTS', { facts: { policyId: existing.policyId } });
  }

  /** Throws `POLICY_EXISTS`. */
  async put(unit: UnitOfWork, record: StoredPolicy, bundle: PolicyBundle): Promise<void> {
    const { id } = record;
    if ((await unit.get('policy', INSTANCE, id)) !== undefined) {
      throw new BlockworkError('POLICY_EXISTS', { facts: { policyId: id } });
    }
    await this.#define(unit, record, bundle);
  }

  /**
   * Replaces a draft's file. The draft keeps its identity, and also its name if the new one is taken. The unit of work
   * needs the same keys as `add`.
   */
  async replace(unit: UnitOfWork, before: StoredPolicy, bundle: PolicyBundle): Promise<StoredPolicy> {
    const { id, uuid, policyTag, owner, creator, topicId, messageId, createDate, version, previousVersion } = before;
    const draft = this.#draft(bundle, owner);
    const isTaken =
      draft.name !== before.name && (await unit.count('policy', INSTANCE, equalTo('name', draft.name))) > 0;
    const identity = { id, uuid, policyTag, owner, creator, topicId, messageId, createDate };
    const line = previousVersion !== undefined && { version, previousVersion };
    const record = { ...draft, ...identity, ...line, name: isTaken ? before.name : draft.name };
    await this.clear(unit, id);
    await this.#define(unit, record, bundle);
    return record;
  }

  /** Deletes everything imported from the file: the configuration, schemas, tokens and files. */
  async clear(unit: UnitOfWork, policyId: string): Promise<void> {
    for (const kind of definitionKinds) {
      for (const { id } of await unit.find(kind, policyId)) unit.delete(kind, policyId, id);
    }
  }

  async #define(unit: UnitOfWork, record: StoredPolicy, bundle: PolicyBundle): Promise<void> {
    const { id } = record;
    const share = new LoopShare(this.deps.clock);
    unit.put('policy', INSTANCE, record);
    unit.put('configuration', id, { id, config: bundle.config, ...(bundle.archived === true && { archived: true }) });
    for (const schema of bundle.schemas) {
      await share.giveWay();
      unit.put('schema', id, schema);
    }
    for (const token of bundle.tokens) unit.put('token', id, token);
    for (const artifact of bundle.artifacts) unit.put('artifact', id, artifact);
    for (const file of bundle.files) unit.put('archive-file', id, file);
  }

  /** Server-owned members are always generated, never read from the file. */
  #draft({ about }: PolicyBundle, owner: string): StoredPolicy {
    const { ids, clock } = this.deps;
    const { extra, ...facts } = about;
    const id = givenId(extra['id']) ?? newPolicyId(ids);
    const ownExtra = without(extra, foreign);
    const topic = entityNumber(ids);
    return {
      ...ownExtra,
      ...facts,
      id,
      uuid: facts.uuid ?? ids.uuid(),
      policyTag: facts.policyTag ?? `Tag_${String(clock.now())}`,
      status: 'DRAFT',
      creator: owner,
      owner,
      topicId: `0.0.${String(topic)}`,
      // The topic number distinguishes policies imported within the same millisecond.
      messageId: messageIdAt(clock.now(), topic % 1_000_000),
      createDate: isoNow(clock),
      version: facts.version ?? '1.0.0',
      projectSchema: facts.projectSchema ?? NIL_UUID,
      policyRoles: [...facts.policyRoles],
      policyGroups: [...facts.policyGroups],
      policyTopics: [...facts.policyTopics],
      policyTokens: [...facts.policyTokens],
      policyNavigation: [...facts.policyNavigation],
      categories: [...facts.categories],
    };
  }

  async #distinct(draft: StoredPolicy, unit: UnitOfWork, keepsName: boolean): Promise<StoredPolicy> {
    const isTaken = (path: 'name' | 'policyTag') => async (value: string) =>
      (await unit.count('policy', INSTANCE, equalTo(path, value))) > 0;
    const now = this.deps.clock.now();
    const name = keepsName ? draft.name : await firstFree(draft.name, now, isTaken('name'));
    const policyTag = await firstFree(draft.policyTag, now, isTaken('policyTag'));
    return { ...draft, name, policyTag };
  }
}

const definitionKinds = ['configuration', 'policy-edit', 'schema', 'token', 'artifact', 'archive-file'] as const;

function givenId(id: unknown): string | undefined {
  if (id === undefined || id === null || id === '') return undefined;
  const parsedId = policyRecord.shape.id.safeParse(id);
  if (parsedId.success) return parsedId.data;
  throw new BlockworkError('POLICY_FILE_INVALID', {
    facts: { reason: 'its "id" is not a string of 1 to 200 characters' },
  });
}

/** Members that describe the instance a file comes from, and have no meaning here. */
const foreign = [
  ...perCallerFields,
  'ownerId',
  'ownerName',
  'previousVersion',
  'publishDate',
  'discontinuedDate',
  'instanceTopicId',
  'synchronizationTopicId',
  'hash',
];

const without = (members: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));

/** The last 96 bits of a new UUID. */
export const newPolicyId = (ids: Ids): string => ids.uuid().replaceAll('-', '').slice(-24).toLowerCase();
