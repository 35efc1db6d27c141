/** Lines of versions: policies of one uuid and owner, each created from one published before it. */
import type { Caller } from '../access/index.js';
import { assertPublished } from '../catalog/index.js';
import type { CompiledPolicyCache, OpenPolicy, PolicyExporter, PolicyImporter } from '../catalog/index.js';
import { policyChanges, type ComparedPolicy, type PolicyChange } from '../comparison/index.js';
import type { Finding } from '../policy/index.js';
import { allOf, equalTo, INSTANCE } from '../records/index.js';
import type { StoredPolicy } from '../records/index.js';
import type { RecordReader } from '../transactions/index.js';
import { compareVersions, versionAfter } from './version.js';

export interface VersionsDeps {
  readonly policies: CompiledPolicyCache;
  readonly importer: PolicyImporter;
  readonly exporter: PolicyExporter;
  readonly store: RecordReader;
}

export class PolicyVersions {
  constructor(private readonly deps: VersionsDeps) {}

  /** A new draft in the same line, with all files of a published policy and none of its data. */
  async next(caller: Caller, policyId: string): Promise<{ record: StoredPolicy; findings: readonly Finding[] }> {
    const { policies, importer, exporter } = this.deps;
    const policy = await policies.open(policyId);
    const { record } = policy;
    assertPublished(record, 'make the next version of', caller.did);
    const { uuid, version: previousVersion } = record;
    const line = { uuid, previousVersion, version: versionAfter(previousVersion) };
    const { record: draft, findings } = await importer.add(await exporter.policy(policy), caller.did, { line });
    return { record: draft, findings };
  }

  /** The differences of the policy from another one. */
  async changes(policy: OpenPolicy, since: OpenPolicy): Promise<PolicyChange[]> {
    return policyChanges(await this.#compared(since), await this.#compared(policy));
  }

  async #compared({ id, record, tree }: OpenPolicy): Promise<ComparedPolicy> {
    const { store } = this.deps;
    const [schemas, tokens, artifacts] = await Promise.all([
      store.find('schema', id),
      store.find('token', id),
      store.find('artifact', id),
    ]);
    return { about: record, tree, schemas, tokens, artifacts };
  }

  /** All policies in the line, highest version first; of equal versions the latest first. */
  async list(policyId: string): Promise<StoredPolicy[]> {
    const { policies, store } = this.deps;
    const { uuid, owner } = (await policies.open(policyId)).record;
    const line = await store.find('policy', INSTANCE, { where: allOf(equalTo('uuid', uuid), equalTo('owner', owner)) });
    return line.sort(
      (a, b) => compareVersions(b.version, a.version) || Date.parse(b.createDate) - Date.parse(a.createDate),
    );
  }
}
