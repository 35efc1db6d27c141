/** Every route of the sandbox. */
import type { SandboxRoute } from '../requests/endpoint.js';
import { accountRoutes } from './account-routes.js';
import { artifactRoutes } from './artifact-routes.js';
import { draftRoutes } from './draft-routes.js';
import { importRoutes } from './import-routes.js';
import { pageRoutes } from './page-routes.js';
import { policyRoutes } from './policy-routes.js';
import { profileRoutes } from './profile-routes.js';
import type { RouteDeps } from './route-deps.js';
import { schemaRoutes } from './schema-routes.js';
import { tagRoutes } from './tag-routes.js';
import { taskRoutes } from './task-routes.js';
import { tokenRoutes } from './token-routes.js';
import { trialRoutes } from './trial-routes.js';

export const sandboxRoutes = (deps: RouteDeps): SandboxRoute[] => [
  ...accountRoutes(deps),
  ...profileRoutes(deps),
  ...taskRoutes(deps),
  ...policyRoutes(deps),
  ...draftRoutes(deps),
  ...importRoutes(deps),
  ...trialRoutes(deps),
  ...tagRoutes(deps),
  ...schemaRoutes(deps),
  ...tokenRoutes(deps),
  ...artifactRoutes(deps),
  ...pageRoutes(),
];
