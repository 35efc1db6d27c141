/** Schemas as the reference lists them: documents as JSON text, every property with `readOnly`, and `$defs` always there. */
import type { Caller, JsonObject, PolicyRecord } from '@blockwork/core';
import { isObject, type SchemaRecord } from '@blockwork/core/records';
import type { MadeSchema } from '../memory/things.js';

/** Clients parse `document` and `context` themselves. */
export interface ListedSchema {
  readonly _id: string;
  readonly id: string;
  readonly uuid: string;
  readonly name: string;
  readonly description: string;
  readonly topicId: string;
  readonly version: string;
  readonly sourceVersion: string;
  readonly status: string;
  readonly iri: string;
  readonly document: string;
  readonly context: string;
}

/** What a list shows of a schema in a definition. */
export const shownEntry = (entry: JsonObject): Pick<ListedSchema, 'id' | 'name' | 'status'> => ({
  id: textOr(entry['_id'] ?? entry['id'], entryIri(entry).replace(/^#/, '')),
  name: textOr(entry['name'], ''),
  status: textOr(entry['status'], 'DRAFT'),
});

/** The id under which a schema of a policy is listed. */
export const recordId = ({ id: iri, source }: Pick<SchemaRecord, 'id' | 'source'>): string =>
  textOr(source['_id'] ?? source['id'], iri.replace(/^#/, ''));

export const entryIri = ({ iri, document }: Readonly<Record<string, unknown>>): string =>
  textOr(iri ?? (isObject(document) ? document['$id'] : undefined), '');

export function listedSchema(
  { id: iri, source, document, ...schema }: SchemaRecord,
  policy: PolicyRecord,
  caller: Caller,
): ListedSchema {
  const uuid = iri.replace(/^#/, '');
  const id = recordId({ id: iri, source });
  return {
    ...shared(uuid, schema.name),
    ...texts(source),
    ...{ _id: id, id, uuid: textOr(source['uuid'], uuid.split('&')[0] ?? uuid) },
    ...{
      entity: schema.entity,
      status: schema.status,
      iri,
      version: textOr(source['version'], uuid.split('&')[1] ?? ''),
    },
    ...{ creator: policy.owner, owner: policy.owner, topicId: policy.topicId, category: 'POLICY' },
    ...{ createDate: policy.createDate, isOwner: policy.owner === caller.did, isCreator: policy.owner === caller.did },
    document: JSON.stringify(complete(document ?? {})),
    context: JSON.stringify(isObject(source['context']) ? source['context'] : {}),
  };
}

export const shownInList = ({ uuid, document, context, ...schema }: MadeSchema): ListedSchema => ({
  ...shared(uuid, schema.name),
  ...schema,
  ...{ _id: schema.id, uuid },
  iri: schemaIri({ uuid, ...schema }),
  ...{ creator: schema.owner, isOwner: true, isCreator: true, system: schema.category === 'SYSTEM' },
  document: JSON.stringify(complete(document)),
  context: JSON.stringify(context),
});

export const schemaIri = ({ uuid, version }: Pick<MadeSchema, 'uuid' | 'version'>): string =>
  `#${uuid}${version === '' ? '' : `&${version}`}`;

/** Schemas of registry and user profiles. */
export function systemSchema(entity: string): ListedSchema {
  const property = (title: string): JsonObject => ({ title, description: title, type: 'string', readOnly: false });
  const document: JsonObject = {
    ...{ $id: `#${entity}`, title: entity, description: entity, type: 'object', required: [] },
    properties: { geography: property('geography'), law: property('law'), tags: property('tags') },
  };
  return {
    ...shared(entity, entity),
    ...{
      ...{ _id: entity, id: entity, uuid: entity },
      iri: `#${entity}`,
      entity,
      status: 'PUBLISHED',
      system: true,
      active: true,
      readonly: true,
    },
    ...{ topicId: '', document: JSON.stringify(complete(document)), context: '{}' },
  };
}

const shared = (uuid: string, name: string) => ({
  ...{ uuid, name, description: '', hash: '', version: '', sourceVersion: '', status: 'DRAFT', codeVersion: '1.0.0' },
  ...{
    messageId: '',
    documentURL: '',
    contextURL: `schema:${uuid}`,
    readonly: false,
    system: false,
    active: false,
    category: 'POLICY',
  },
});

/** The texts of the file that record where the schema was published. */
const texts = (source: JsonObject): Record<string, string> =>
  Object.fromEntries(
    ['description', 'hash', 'messageId', 'documentURL', 'contextURL', 'sourceVersion', 'codeVersion', 'updateDate']
      .map((name) => [name, source[name]])
      .filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== ''),
  );

const textOr = (value: unknown, fallback: string): string =>
  typeof value === 'string' && value !== '' ? value : fallback;

function complete(document: JsonObject): JsonObject {
  const properties = isObject(document['properties']) ? document['properties'] : {};
  const all = Object.entries(properties).map(([name, property]) => [
    name,
    isObject(property) ? { readOnly: false, ...property } : property,
  ]);
  return { $defs: {}, ...document, properties: Object.fromEntries(all) as JsonObject };
}
