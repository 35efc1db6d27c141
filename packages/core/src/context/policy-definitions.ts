/** What came with a policy beside its blocks: schemas, tokens and files, as blocks read them. */
import type { ArtifactRecord, SchemaRecord, TokenRecord } from '../records/index.js';
import type { DefinitionReader } from '../block-api/index.js';
import type { RecordReader } from '../transactions/index.js';

export class PolicyDefinitions implements DefinitionReader {
  constructor(
    private readonly records: RecordReader,
    private readonly policyId: string,
  ) {}

  schema(iri: string): Promise<SchemaRecord | undefined> {
    return this.records.get('schema', this.policyId, iri);
  }

  schemas(): Promise<SchemaRecord[]> {
    return this.records.find('schema', this.policyId);
  }

  token(tokenId: string): Promise<TokenRecord | undefined> {
    return this.records.get('token', this.policyId, tokenId);
  }

  artifact(uuid: string): Promise<ArtifactRecord | undefined> {
    return this.records.get('artifact', this.policyId, uuid);
  }
}
