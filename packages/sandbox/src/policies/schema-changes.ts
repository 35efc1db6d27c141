/** Changes of schemas, wherever they are: those of a policy are edits of its draft. */
import { referencesIn, withDefinitions } from '@blockwork/contract/schema-model';
import type { Caller, Clock, Ids, JsonObject, PolicyRecord } from '@blockwork/core';
import { isoNow } from '@blockwork/core/adapter';
import { isObject } from '@blockwork/core/records';
import { SandboxError } from '../errors.js';
import { newId } from '../memory/new-id.js';
import type { OwnedBook } from '../memory/owned-book.js';
import type { MadeSchema } from '../memory/things.js';
import { ownPolicyWithTopic } from './own-policies.js';
import { entryIri, schemaIri, shownEntry } from './schema-list.js';
import { neighboursOf, type PolicyPlace, type SchemaDeps, type SchemaPlace } from './schema-places.js';

export interface SchemaFacts {
  readonly name: string;
  readonly description: string;
  readonly entity: string;
  readonly document: JsonObject;
  readonly context: JsonObject;
}

export interface NewSchema extends SchemaFacts {
  readonly topicId: string;
  readonly uuid?: string | undefined;
}

export interface ChangeDeps extends SchemaDeps {
  readonly clock: Clock;
  readonly ids: Ids;
}

/** In the draft that has the topic, or else in the book. Resolves with the id. */
export async function createSchema(deps: ChangeDeps, caller: Caller, given: NewSchema): Promise<string> {
  const policy = await ownPolicyWithTopic(deps.engine, caller, given.topicId);
  if (policy === undefined) return (await createInBook(deps, deps.books.schemas, caller, given, 'POLICY')).id;
  const entry = newEntry(deps, policy, given);
  await deps.engine.editing.edit(caller, policy.id, [{ op: 'addEntry', list: 'schemas', value: entry }]);
  return shownEntry(entry).id;
}

export async function createInBook(
  { clock, ids }: Pick<ChangeDeps, 'clock' | 'ids'>,
  book: OwnedBook<MadeSchema>,
  { did }: Caller,
  { uuid: wanted, ...facts }: NewSchema,
  category: MadeSchema['category'],
): Promise<MadeSchema> {
  const uuid = freeUuid(ids, wanted, (each) => book.all().some((schema) => schema.uuid === each));
  const now = isoNow(clock);
  return book.put({
    ...{ id: newId(ids), uuid, owner: did, ...facts, document: withId(facts.document, `#${uuid}`) },
    ...{ status: 'DRAFT', version: '', category, active: false, createDate: now, updateDate: now },
  });
}

/** Rejects with `ALREADY_PUBLISHED`. */
export async function changeSchema(
  { engine, clock }: ChangeDeps,
  caller: Caller,
  place: SchemaPlace,
  facts: SchemaFacts,
): Promise<void> {
  assertDraft(place);
  const updateDate = isoNow(clock);
  if (place.in === 'book') {
    const document = withId(facts.document, schemaIri(place.schema));
    await place.book.put({ ...place.schema, ...facts, document, updateDate });
    return;
  }
  const iri = entryIri(place.entry);
  const value = { ...place.entry, ...facts, document: withId(facts.document, iri), updateDate };
  const operations = updatesOf(place, (entry) => (entry === place.entry ? value : entry));
  if (operations.length > 0) {
    await engine.editing.edit(caller, place.policy.id, operations, { ifMatch: place.revision });
  }
}

/**
 * A published schema has its version in its IRI, which everything that names it then uses: other schemas, and the blocks of
 * the policy. Rejects with `ALREADY_PUBLISHED`.
 */
export async function publishSchema(
  { engine, clock }: ChangeDeps,
  caller: Caller,
  place: SchemaPlace,
  version: string,
): Promise<void> {
  assertDraft(place);
  const updateDate = isoNow(clock);
  if (place.in === 'book') {
    const schema = { ...place.schema, status: 'PUBLISHED' as const, version, updateDate };
    await place.book.put({ ...schema, document: withId(schema.document, schemaIri(schema)) });
    return;
  }
  const { policy, entry } = place;
  const [from, to] = [entryIri(entry), `${entryIri(entry)}&${version}`];
  const { definition, revision } = await engine.editing.read(caller, policy.id);
  const schemas = definition.schemas.map((each): JsonObject => {
    const renamed = withIri(each, from, to) as JsonObject;
    return entryIri(each) === from ? { ...renamed, iri: to, status: 'PUBLISHED', version, updateDate } : renamed;
  });
  const root = definition.config.id;
  const operations = [
    { op: 'replaceList', list: 'schemas', value: schemas },
    { op: 'replaceBlock', block: root, value: withIri(definition.config, from, to) },
  ];
  await engine.editing.edit(caller, policy.id, operations, { ifMatch: revision });
}

/** Rejects with `ALREADY_PUBLISHED`, `SCHEMA_USED` if another schema nests it. */
export async function deleteSchema({ engine }: SchemaDeps, caller: Caller, place: SchemaPlace): Promise<void> {
  assertDraft(place);
  const { iri, name } =
    place.in === 'book'
      ? { iri: schemaIri(place.schema), name: place.schema.name }
      : { iri: entryIri(place.entry), name: shownEntry(place.entry).name };
  const users = parentsOf(place, caller, iri).map(({ listed }) => `"${listed.name}"`);
  if (users.length > 0) throw new SandboxError('SCHEMA_USED', { name, users: users.join(', ') });
  if (place.in === 'book') await place.book.delete(place.schema.id);
  else
    await engine.editing.edit(caller, place.policy.id, [{ op: 'removeEntry', list: 'schemas', entry: iri }], {
      ifMatch: place.revision,
    });
}

/** The schemas that nest the one with the IRI. */
export const parentsOf = (place: SchemaPlace, caller: Caller, iri: string): ReturnType<typeof neighboursOf> =>
  neighboursOf(place, caller).filter(
    ({ iri: own, document: { $defs: _, ...plain } }) => own !== iri && new Set(referencesIn(plain)).has(iri),
  );

function assertDraft(place: SchemaPlace): void {
  const { name, status } = place.in === 'book' ? place.schema : shownEntry(place.entry);
  if (status === 'PUBLISHED') throw new SandboxError('ALREADY_PUBLISHED', { what: 'schema', name });
}

/** Schemas that nest the changed one hold copies of it, which follow. */
function updatesOf({ entries }: PolicyPlace, change: (entry: JsonObject) => JsonObject): object[] {
  const after = entries.map(change);
  const nesting = after.map((entry) => {
    const { document } = entry;
    return { iri: entryIri(entry), document: isObject(document) ? document : {}, entry };
  });
  return withDefinitions(nesting).flatMap(({ iri, document, entry }, index) => {
    const value = isObject(entry['document']) ? { ...entry, document } : entry;
    return JSON.stringify(value) === JSON.stringify(entries[index])
      ? []
      : [{ op: 'setEntry', list: 'schemas', entry: iri, value }];
  });
}

function newEntry({ clock, ids }: ChangeDeps, policy: PolicyRecord, given: NewSchema): JsonObject {
  const uuid = given.uuid ?? ids.uuid();
  const now = isoNow(clock);
  const id = newId(ids);
  return {
    ...{ _id: id, id, uuid, name: given.name, description: given.description, entity: given.entity },
    ...{ status: 'DRAFT', version: '', sourceVersion: '', category: 'POLICY', codeVersion: '1.0.0' },
    ...{ readonly: false, system: false, active: false, creator: policy.owner, owner: policy.owner },
    ...{ topicId: policy.topicId, messageId: '', documentURL: '', contextURL: `schema:${uuid}`, iri: `#${uuid}` },
    ...{ document: withId(given.document, `#${uuid}`), context: given.context, createDate: now, updateDate: now },
  };
}

/** The id that the client wants, if it is free. */
const freeUuid = (ids: Ids, wanted: string | undefined, isTaken: (uuid: string) => boolean): string =>
  wanted === undefined || wanted === '' || isTaken(wanted) ? ids.uuid() : wanted;

const withId = (document: JsonObject, iri: string): JsonObject => ({ ...document, $id: iri });

/** With every text that is the IRI, and every member named by it, replaced. */
function withIri(value: unknown, from: string, to: string): unknown {
  if (value === from) return to;
  if (Array.isArray(value)) return value.map((each: unknown) => withIri(each, from, to));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name === from ? to : name, withIri(each, from, to)]),
  );
}
