/** Schemas in files of the reference and in workbooks, both ways. */
import { packArchive, unpackArchive, type Caller, type JsonObject } from '@blockwork/core';
import { isObject } from '@blockwork/core/records';
import { assertUsable, plannedImport } from '@blockwork/http';
import { referencesIn } from '@blockwork/contract/schema-model';
import { parse } from 'secure-json-parse';
import { z } from 'zod';
import { SandboxError } from '../../errors.js';
import { createSchema } from '../../policies/schema-changes.js';
import { entryIri, schemaIri, shownEntry } from '../../policies/schema-list.js';
import { neighboursOf, placeOf, type Neighbour } from '../../policies/schema-places.js';
import { checked, created, download, ok, ZIP, type SandboxCall, type SandboxRoute } from '../../requests/endpoint.js';
import { callerOf } from '../../requests/person.js';
import { schemasAsWorkbook, sheetErrors } from '../../sheets.js';
import { asTask, type RouteDeps } from '../route-deps.js';
import { writtenSchema } from './schema-routes.js';

const announced = z.looseObject({ messageId: z.string().min(1).max(64) });
const MIB = 1024 * 1024;

export function schemaFileRoutes(deps: RouteDeps): SandboxRoute[] {
  const fromFile = ({ body }: SandboxCall): unknown[] => schemasIn(body as Uint8Array);
  const fromMessage = ({ body }: SandboxCall): unknown[] => {
    const { messageId } = checked(body, announced);
    const file = deps.messages.get(messageId);
    if (file === undefined) throw new SandboxError('MESSAGE_UNKNOWN', { messageId });
    return schemasIn(file);
  };
  return [
    ...exportRoutes(deps),
    ...importRoutes('file', 'file', fromFile, deps),
    ...importRoutes('message', 'data', fromMessage, deps),
    ...workbookRoutes(deps),
  ];
}

function exportRoutes(deps: RouteDeps): SandboxRoute[] {
  const path = '/schemas/{schemaId}/export';
  return [
    {
      method: 'POST',
      path: `${path}/file`,
      body: 'data',
      handle: async (call) => {
        const [schema, ...nested] = await withNested(deps, call);
        const files = [schema, ...nested].map(
          ({ iri, entry }) => [`${iri.replace(/^#/, '')}.json`, Buffer.from(JSON.stringify(entry))] as const,
        );
        return download(`${schema.listed.name}.schema`, ZIP, packArchive(new Map(files)));
      },
    },
    {
      method: 'POST',
      path: `${path}/message`,
      body: 'data',
      handle: async (call) => {
        const [{ listed, entry }] = await withNested(deps, call);
        const { description = '', version = '', messageId = '', owner } = entry;
        return ok({ ...listed, description, version, messageId, owner });
      },
    },
    {
      method: 'GET',
      path: `${path}/xlsx`,
      handle: async (call) => {
        const schemas = await withNested(deps, call);
        return schemasAsWorkbook(
          schemas[0].listed.name,
          schemas.map(({ entry }) => entry),
        );
      },
    },
    // One schema with a field, for people to go on from.
    { method: 'GET', path: '/schemas/export/template', handle: () => schemasAsWorkbook('template', [example]) },
  ];
}

const example = {
  ...{ iri: '#template', name: 'Schema name', description: 'Schema description', entity: 'VC' },
  document: {
    ...{ $id: '#template', title: 'Schema name', description: 'Schema description', type: 'object' },
    properties: { field0: { title: 'Question', description: 'Question', type: 'string', readOnly: false } },
    required: ['field0'],
  },
};

function importRoutes(
  kind: 'file' | 'message',
  body: 'file' | 'data',
  source: (call: SandboxCall) => unknown[],
  deps: RouteDeps,
): SandboxRoute[] {
  const post = (path: string, handle: SandboxRoute['handle']): SandboxRoute => ({ method: 'POST', path, body, handle });
  const preview = async (call: SandboxCall): Promise<unknown> => {
    callerOf(await call.person());
    return source(call);
  };
  const action = `Import schema ${kind}`;
  return [
    post(`/schemas/import/${kind}/preview`, async (call) => ok(await preview(call))),
    post(`/schemas/push/import/${kind}/preview`, (call) =>
      asTask(deps, call, `Preview schema ${kind}`, () => preview(call)),
    ),
    post(`/schemas/{topicId}/import/${kind}`, async (call) => created(await imported(deps, call, source(call)))),
    post(`/schemas/push/{topicId}/import/${kind}`, (call) =>
      asTask(deps, call, action, async () => imported(deps, call, source(call))),
    ),
  ];
}

/** The draft of the topic, or an empty one for the preview. */
function workbookRoutes(deps: RouteDeps): SandboxRoute[] {
  const post = (path: string, handle: SandboxRoute['handle']): SandboxRoute => ({
    ...{ method: 'POST', path, body: 'file', handle },
  });
  const importing = async (call: SandboxCall): Promise<object> => {
    const plan = await plannedImport(call.body as Uint8Array, []);
    assertUsable(plan);
    const schemas = plan.operations.map(({ value }) => value);
    return { ...(await imported(deps, call, schemas)), errors: sheetErrors(plan) };
  };
  return [
    post('/schemas/import/xlsx/preview', async (call) => {
      callerOf(await call.person());
      const plan = await plannedImport(call.body as Uint8Array, []);
      return ok({ schemas: plan.schemas, tools: [], errors: sheetErrors(plan) });
    }),
    post('/schemas/{topicId}/import/xlsx', async (call) => created(await importing(call))),
    post('/schemas/push/{topicId}/import/xlsx', (call) =>
      asTask(deps, call, 'Import schema file', () => importing(call)),
    ),
  ];
}

/** The schema first, then those nested in it. */
async function withNested(deps: RouteDeps, { params, person }: SandboxCall): Promise<[Neighbour, ...Neighbour[]]> {
  const caller = callerOf(await person());
  const id = params['schemaId'] ?? '';
  const place = await placeOf(deps, caller, id);
  const all = new Map(neighboursOf(place, caller).map((each) => [each.iri, each]));
  const top = all.get(place.in === 'book' ? schemaIri(place.schema) : entryIri(place.entry));
  if (top === undefined) throw new SandboxError('SCHEMA_UNKNOWN', { id });
  const found = new Set([top]);
  for (const { document } of found) {
    for (const iri of referencesIn(document)) {
      const nested = all.get(iri);
      if (nested !== undefined) found.add(nested);
    }
  }
  const [, ...nested] = found;
  return [top, ...nested];
}

/** The schemas of a file get new identities, as in the reference, and refer to each other by these. */
async function imported(
  deps: RouteDeps,
  { params, person }: SandboxCall,
  schemas: readonly unknown[],
): Promise<{ schemasMap: object[] }> {
  const caller: Caller = callerOf(await person());
  const read = schemas.filter(isObject).map((schema) => ({ iri: entryIri(schema), schema }));
  const uuids = new Map(read.map(({ iri }) => [iri, deps.ids.uuid()]));
  const schemasMap: object[] = [];
  for (const { iri, schema } of read) {
    const given = checked(renamed(schema, uuids), writtenSchema);
    const uuid = uuids.get(iri);
    const newID = await createSchema(deps, caller, { ...given, topicId: params['topicId'] ?? '', uuid });
    schemasMap.push({ oldID: shownEntry(schema as JsonObject).id, newID, oldIRI: iri, newIRI: `#${String(uuid)}` });
  }
  return { schemasMap };
}

function renamed(value: unknown, uuids: ReadonlyMap<string, string>): unknown {
  const nameOf = (text: string): string => {
    const uuid = uuids.get(text);
    return uuid === undefined ? text : `#${uuid}`;
  };
  if (typeof value === 'string') return nameOf(value);
  if (Array.isArray(value)) return value.map((each: unknown) => renamed(each, uuids));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [nameOf(name), renamed(each, uuids)]));
}

/** Throws `POLICY_FILE_INVALID`, `POLICY_FILE_TOO_LARGE`, `FILE_REFUSED`. */
function schemasIn(file: Uint8Array): unknown[] {
  const files = unpackArchive(file, { totalBytes: 32 * MIB });
  const schemas = [...files]
    .filter(([name]) => name.endsWith('.json'))
    .map(([name, content]) => schemaIn(name, content));
  if (schemas.length === 0) throw new SandboxError('FILE_REFUSED', { reason: 'it holds no schema' });
  return schemas;
}

function schemaIn(name: string, content: Uint8Array): unknown {
  try {
    return parse(Buffer.from(content).toString('utf8'), { protoAction: 'error', constructorAction: 'error' });
  } catch {
    throw new SandboxError('FILE_REFUSED', { reason: `${name} is no JSON` });
  }
}
