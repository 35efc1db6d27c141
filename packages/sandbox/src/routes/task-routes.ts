/** Tasks. */
import { ok, type SandboxRoute } from '../requests/endpoint.js';
import { userIdOf, type RouteDeps } from './route-deps.js';

export const taskRoutes = ({ tasks }: RouteDeps): SandboxRoute[] => [
  {
    method: 'GET',
    path: '/tasks/{taskId}',
    handle: async ({ params, person }) => ok(tasks.find(params['taskId'] ?? '', userIdOf(await person()))),
  },
];
