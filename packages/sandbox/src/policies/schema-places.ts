/** Where a schema is: in the definition of a policy, or in a book of the sandbox. */
import type { Caller, JsonObject, PolicyEngine, PolicyRecord } from '@blockwork/core';
import { isObject } from '@blockwork/core/records';
import { SandboxError } from '../errors.js';
import type { Books } from '../memory/books.js';
import type { OwnedBook } from '../memory/owned-book.js';
import type { MadeSchema } from '../memory/things.js';
import { ownPolicies } from './own-policies.js';
import { entryIri, shownInList, recordId, shownEntry, type ListedSchema } from './schema-list.js';

interface BookPlace {
  readonly in: 'book';
  readonly book: OwnedBook<MadeSchema>;
  readonly schema: MadeSchema;
}

export interface PolicyPlace {
  readonly in: 'policy';
  readonly policy: PolicyRecord;
  /** The schemas of its definition, and the revision that they are of. */
  readonly entries: readonly JsonObject[];
  readonly revision: number;
  readonly entry: JsonObject;
}

export type SchemaPlace = BookPlace | PolicyPlace;

export interface SchemaDeps {
  readonly engine: PolicyEngine;
  readonly books: Pick<Books, 'schemas' | 'tagSchemas' | 'systemSchemas'>;
}

/** A schema of the caller's, by its id. Throws `SCHEMA_UNKNOWN`, also for another owner's. */
export async function placeOf({ engine, books }: SchemaDeps, caller: Caller, id: string): Promise<SchemaPlace> {
  for (const book of [books.schemas, books.tagSchemas, books.systemSchemas]) {
    const schema = book.ofOwner(id, caller.did);
    if (schema !== undefined) return { in: 'book', book, schema };
  }
  for (const policy of await ownPolicies(engine, caller)) {
    const records = await engine.program.listSchemas(policy.id);
    if (!records.some((record) => recordId(record) === id)) continue;
    const { revision, definition } = await engine.editing.read(caller, policy.id);
    const entry = definition.schemas.find((each) => shownEntry(each).id === id);
    if (entry !== undefined) return { in: 'policy', policy, entries: definition.schemas, revision, entry };
  }
  throw new SandboxError('SCHEMA_UNKNOWN', { id });
}

/** What there is beside a schema, and may nest it or be nested in it. Itself is among them. */
export interface Neighbour {
  readonly iri: string;
  readonly document: JsonObject;
  /** As files of schemas have it. */
  readonly entry: JsonObject;
  readonly listed: Pick<ListedSchema, 'id' | 'name' | 'status'>;
}

export function neighboursOf(place: SchemaPlace, caller: Caller): Neighbour[] {
  if (place.in === 'policy') {
    return place.entries.map((entry) => {
      const { document } = entry;
      const listed = shownEntry(entry);
      return { iri: entryIri(entry), document: isObject(document) ? document : {}, entry, listed };
    });
  }
  return place.book.of(caller.did).map((schema) => {
    const listed = shownInList(schema);
    const { document, context } = schema;
    const entry = { ...listed, document, context } as unknown as JsonObject;
    return { iri: listed.iri, document, entry, listed };
  });
}
