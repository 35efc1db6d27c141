/** Schemas created by clients, separate from those of policies. */
import { Shelf } from './shelf.js';

export interface MadeSchema {
  readonly id: string;
  readonly uuid: string;
  readonly topicId: string;
  readonly owner: string;
  readonly name: string;
  readonly description: string;
  readonly entity: string;
  readonly status: 'DRAFT' | 'PUBLISHED';
  readonly version: string;
  readonly document: object;
  readonly context: object;
  readonly createDate: string;
  readonly updateDate: string;
}

export class SchemaBook {
  readonly #schemas: Shelf<MadeSchema>;

  constructor({ schemas: count, schemaBytes: bytes }: { readonly schemas: number; readonly schemaBytes: number }) {
    this.#schemas = new Shelf({ what: 'schemas', count, bytes, whenFull: 'refuse' });
  }

  /** Adds or replaces a schema. Throws `SANDBOX_FULL`. */
  put(schema: MadeSchema): void {
    this.#schemas.put(schema.id, schema);
  }

  find(id: string): MadeSchema | undefined {
    return this.#schemas.get(id);
  }

  /** Oldest first. */
  of(owner: string): MadeSchema[] {
    return this.#schemas.values().filter((schema) => schema.owner === owner);
  }
}
