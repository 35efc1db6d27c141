/** Modules, and the schemas that they use. */
import { createInBook } from '../../policies/schema-changes.js';
import { shownInList } from '../../policies/schema-list.js';
import { checked, created, page, type SandboxRoute } from '../../requests/endpoint.js';
import { registryOf } from '../../requests/registry.js';
import type { RouteDeps } from '../route-deps.js';
import { newSchema } from '../schemas/schema-routes.js';
import { partRoutes } from './part-routes.js';

export const moduleRoutes = (deps: RouteDeps): SandboxRoute[] => [
  ...partRoutes({ deps, kind: 'module', book: deps.books.modules, parameter: 'uuid' }),
  {
    method: 'GET',
    path: '/modules/schemas',
    handle: async (call) => {
      const own = deps.books.schemas.of((await registryOf(call)).did);
      return page(own.filter(({ category }) => category === 'MODULE').map(shownInList), call.query);
    },
  },
  {
    method: 'POST',
    path: '/modules/schemas',
    body: 'data',
    handle: async (call) => {
      const caller = await registryOf(call);
      const { uuid, ...given } = checked(call.body, newSchema);
      const schema = { ...given, topicId: '', uuid: uuid ?? undefined };
      return created([shownInList(await createInBook(deps, deps.books.schemas, caller, schema, 'MODULE'))]);
    },
  },
];
