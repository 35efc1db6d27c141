/** Schemas of profiles and of tags, which belong to no policy. */
import { z } from 'zod';
import type { OwnedBook } from '../../memory/owned-book.js';
import type { MadeSchema } from '../../memory/things.js';
import { changeSchema, createInBook, deleteSchema, publishSchema } from '../../policies/schema-changes.js';
import { shownInList } from '../../policies/schema-list.js';
import { SandboxError } from '../../errors.js';
import { checked, created, gone, ok, page, type SandboxCall, type SandboxRoute } from '../../requests/endpoint.js';
import { registryOf } from '../../requests/registry.js';
import type { RouteDeps } from '../route-deps.js';
import { newSchema, writtenSchema } from './schema-routes.js';

const publication = z.looseObject({ version: z.string().min(1).max(100).default('1.0.0') });

export const ownSchemaRoutes = (deps: RouteDeps): SandboxRoute[] => [
  ...tagSchemaRoutes(deps),
  ...systemSchemaRoutes(deps),
];

function tagSchemaRoutes(deps: RouteDeps): SandboxRoute[] {
  const { tagSchemas: book } = deps.books;
  const path = '/tags/schemas';
  return [
    { method: 'POST', path, body: 'data', handle: async (call) => created(await create(deps, call, book, 'TAG')) },
    {
      method: 'GET',
      path,
      handle: async (call) => page(book.of((await registryOf(call)).did).map(shownInList), call.query),
    },
    {
      method: 'GET',
      path: `${path}/published`,
      handle: () =>
        ok(
          book
            .all()
            .filter(({ status }) => status === 'PUBLISHED')
            .map(shownInList),
        ),
    },
    {
      method: 'PUT',
      path: `${path}/{schemaId}`,
      body: 'data',
      handle: async (call) => ok(await change(deps, call, book)),
    },
    {
      method: 'PUT',
      path: `${path}/{schemaId}/publish`,
      body: 'data',
      handle: async (call) => {
        const [caller, schema] = [await registryOf(call), await ownIn(book, call)];
        await publishSchema(deps, caller, { in: 'book', book, schema }, checked(call.body, publication).version);
        return ok(shownInList(await ownIn(book, call)));
      },
    },
    {
      method: 'DELETE',
      path: `${path}/{schemaId}`,
      handle: async (call) => {
        await deleteSchema(deps, await registryOf(call), { in: 'book', book, schema: await ownIn(book, call) });
        return ok(true);
      },
    },
  ];
}

function systemSchemaRoutes(deps: RouteDeps): SandboxRoute[] {
  const { systemSchemas: book } = deps.books;
  const path = '/schemas/system';
  return [
    {
      method: 'POST',
      path: `${path}/{username}`,
      body: 'data',
      handle: async (call) => created(await create(deps, call, book, 'SYSTEM')),
    },
    {
      method: 'GET',
      path: `${path}/{username}`,
      handle: async (call) => page(book.of((await registryOf(call)).did).map(shownInList), call.query),
    },
    {
      method: 'PUT',
      path: `${path}/{schemaId}`,
      body: 'data',
      handle: async (call) => ok(await change(deps, call, book)),
    },
    {
      method: 'PUT',
      path: `${path}/{schemaId}/active`,
      body: 'data',
      handle: async (call) => {
        await registryOf(call);
        const chosen = await ownIn(book, call);
        // Profiles of one kind of account are of one schema, whoever made it.
        for (const schema of book.all())
          if (schema.active && schema.entity === chosen.entity) await book.put({ ...schema, active: false });
        await book.put({ ...chosen, active: true });
        return ok(null);
      },
    },
    {
      method: 'DELETE',
      path: `${path}/{schemaId}`,
      handle: async (call) => {
        const [caller, schema] = [await registryOf(call), await ownIn(book, call)];
        if (schema.active) throw new SandboxError('SCHEMA_USED', { name: schema.name, users: 'profiles' });
        await deleteSchema(deps, caller, { in: 'book', book, schema });
        return gone;
      },
    },
  ];
}

async function create(
  deps: RouteDeps,
  call: SandboxCall,
  book: OwnedBook<MadeSchema>,
  category: MadeSchema['category'],
): Promise<object> {
  const caller = await registryOf(call);
  const { uuid, ...given } = checked(call.body, newSchema);
  const schema = { ...given, topicId: '', uuid: uuid ?? undefined };
  return shownInList(await createInBook(deps, book, caller, schema, category));
}

async function change(deps: RouteDeps, call: SandboxCall, book: OwnedBook<MadeSchema>): Promise<object> {
  const caller = await registryOf(call);
  const schema = await ownIn(book, call);
  await changeSchema(deps, caller, { in: 'book', book, schema }, checked(call.body, writtenSchema));
  return shownInList(await ownIn(book, call));
}

/** Throws `SCHEMA_UNKNOWN`, also for another registry's. */
async function ownIn(book: OwnedBook<MadeSchema>, call: SandboxCall): Promise<MadeSchema> {
  const { schemaId: id = '' } = call.params;
  const schema = book.ofOwner(id, (await registryOf(call)).did);
  if (schema === undefined) throw new SandboxError('SCHEMA_UNKNOWN', { id });
  return schema;
}
