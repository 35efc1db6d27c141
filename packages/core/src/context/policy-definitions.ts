/** The definitions of a policy and its tools that blocks can read: schemas, tokens and files. */
import type { ArtifactRecord, SchemaRecord, TokenRecord } from '../records/index.js';
import type { DefinitionReader } from '../block-api/index.js';
import { schemaOfTools, type OpenPolicy } from '../catalog/index.js';
import type { RecordReader } from '../transactions/index.js';

export class PolicyDefinitions implements DefinitionReader {
  constructor(
    private readonly records: RecordReader,
    private readonly policy: Pick<OpenPolicy, 'id' | 'tools'>,
  ) {}

  async schema(iri: string): Promise<SchemaRecord | undefined> {
    return (await this.records.get('schema', this.policy.id, iri)) ?? schemaOfTools(this.policy, iri);
  }

  async schemas(): Promise<SchemaRecord[]> {
    const own = await this.records.find('schema', this.policy.id);
    const ids = new Set(own.map(({ id }) => id));
    const ofTools = this.policy.tools.flatMap(({ schemas }) => schemas);
    return [...own, ...ofTools.filter(({ id }) => !ids.has(id) && ids.add(id))];
  }

  token(tokenId: string): Promise<TokenRecord | undefined> {
    return this.records.get('token', this.policy.id, tokenId);
  }

  async artifact(uuid: string): Promise<ArtifactRecord | undefined> {
    const own = await this.records.get('artifact', this.policy.id, uuid);
    return own ?? this.policy.tools.flatMap(({ artifacts }) => artifacts).find(({ id }) => id === uuid);
  }
}
