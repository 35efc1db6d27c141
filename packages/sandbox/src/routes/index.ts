/** Every route of the sandbox. */
import type { SandboxRoute } from '../requests/route.js';
import { accountRoutes } from './account-routes.js';
import { importRoutes } from './import-routes.js';
import { policyRoutes } from './policy-routes.js';
import { profileRoutes } from './profile-routes.js';
import type { RouteDeps } from './route-deps.js';
import { taskRoutes } from './task-routes.js';
import { trialRoutes } from './trial-routes.js';

export const sandboxRoutes = (deps: RouteDeps): SandboxRoute[] => [
  ...accountRoutes(deps),
  ...profileRoutes(deps),
  ...taskRoutes(deps),
  ...policyRoutes(deps),
  ...importRoutes(deps),
  ...trialRoutes(deps),
];
