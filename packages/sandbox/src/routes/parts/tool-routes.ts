/** Tools: a published one can be used by the policies of its registry. */
import type { SandboxRoute } from '../../requests/endpoint.js';
import { asTask, type RouteDeps } from '../route-deps.js';
import { create, fromFile, fromMessage, imported, partRoutes, published } from './part-routes.js';

export function toolRoutes(deps: RouteDeps): SandboxRoute[] {
  const rooms = { deps, kind: 'tool', book: deps.books.tools, parameter: 'id' } as const;
  return [
    ...partRoutes(rooms),
    {
      method: 'POST',
      path: '/tools/push',
      body: 'policy',
      handle: (call) => asTask(deps, call, 'Create tool', () => create(rooms, call)),
    },
    {
      method: 'PUT',
      path: '/tools/{id}/push/publish',
      body: 'data',
      handle: (call) => asTask(deps, call, 'Publish tool', () => published(rooms, call)),
    },
    {
      method: 'POST',
      path: '/tools/push/import/file',
      body: 'file',
      handle: (call) => asTask(deps, call, 'Import tool file', () => imported(rooms, call, fromFile)),
    },
    {
      method: 'POST',
      path: '/tools/push/import/message',
      body: 'data',
      handle: (call) => asTask(deps, call, 'Import tool message', () => imported(rooms, call, fromMessage)),
    },
  ];
}
