/** The schemas of a policy and of its tools. */
import type { Caller } from '../../access/index.js';
import { PolicyDefinitions } from '../../context/index.js';
import { BlockworkError } from '../../errors.js';
import type { SchemaRecord } from '../../records/index.js';
import type { RecordReader } from '../../transactions/index.js';
import type { Gate } from '../gate.js';
import type { PolicySight } from '../people/policy-sight.js';

/** A schema without its fields; `id` is its IRI. */
export type SchemaSummary = Pick<SchemaRecord, 'id' | 'name' | 'entity' | 'status'>;

/** `document`: the JSON Schema; `null` if the policy's file contains none that can be parsed. */
export type PolicySchema = SchemaSummary & Pick<SchemaRecord, 'document'>;

export interface SchemasDeps {
  readonly store: RecordReader;
  readonly sight: PolicySight;
}

/** Every method throws `PERMISSION_DENIED` (`POLICIES_POLICY_READ`), `POLICY_UNKNOWN`, `ENGINE_CLOSED`. */
export class Schemas {
  constructor(
    private readonly gate: Gate,
    private readonly deps: SchemasDeps,
  ) {}

  /**
   * The policy's schemas, then those of its tools. Throws the errors common to all methods, such as `ENGINE_CLOSED`.
   *
   * @example const schemas = await engine.schemas.list(owner, policyId);
   */
  async list(caller: Caller, policyId: string): Promise<SchemaSummary[]> {
    return (await (await this.#definitions(caller, policyId)).schemas()).map(summary);
  }

  /**
   * One schema with its fields. Throws `SCHEMA_UNKNOWN`, and the errors common to all methods, such as `ENGINE_CLOSED`.
   *
   * @example const { name } = await engine.schemas.get(owner, policyId, schemaIri);
   */
  async get(caller: Caller, policyId: string, iri: string): Promise<PolicySchema> {
    const schema = await (await this.#definitions(caller, policyId)).schema(iri);
    if (schema === undefined) throw new BlockworkError('SCHEMA_UNKNOWN', { facts: { policyId, iri } });
    return { ...summary(schema), document: schema.document };
  }

  async #definitions(caller: Caller, policyId: string): Promise<PolicyDefinitions> {
    this.gate.admit(caller, 'POLICIES_POLICY_READ');
    return new PolicyDefinitions(this.deps.store, await this.deps.sight.open(caller, policyId));
  }
}

const summary = ({ id, name, entity, status }: SchemaRecord): SchemaSummary => ({ id, name, entity, status });
