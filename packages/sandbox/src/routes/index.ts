/** Every route of the sandbox. */
import type { SandboxRoute } from '../requests/endpoint.js';
import { absentRoutes } from './absent-routes.js';
import { accountRoutes } from './account-routes.js';
import { compareRoutes } from './analytics/compare-routes.js';
import { searchRoutes } from './analytics/search-routes.js';
import { aboutRoutes } from './editing/about-routes.js';
import { draftRoutes } from './editing/draft-routes.js';
import { editRoutes } from './editing/edit-routes.js';
import { exportRoutes } from './editing/export-routes.js';
import { importRoutes } from './editing/import-routes.js';
import { moduleRoutes } from './parts/module-routes.js';
import { toolRoutes } from './parts/tool-routes.js';
import { artifactRoutes } from './platform/artifact-routes.js';
import { didRoutes } from './platform/did-routes.js';
import { ipfsRoutes } from './platform/ipfs-routes.js';
import { logRoutes } from './platform/log-routes.js';
import { notificationRoutes } from './platform/notification-routes.js';
import { pageRoutes } from './platform/page-routes.js';
import { projectRoutes } from './platform/project-routes.js';
import { settingsRoutes } from './platform/settings-routes.js';
import { tagRoutes } from './platform/tag-routes.js';
import { themeRoutes } from './platform/theme-routes.js';
import { trustChainRoutes } from './platform/trust-chain-routes.js';
import { policyRoutes } from './policy-routes.js';
import { profileRoutes } from './profile-routes.js';
import type { RouteDeps } from './route-deps.js';
import { ownSchemaRoutes } from './schemas/own-schema-routes.js';
import { schemaFileRoutes } from './schemas/schema-file-routes.js';
import { schemaRoutes } from './schemas/schema-routes.js';
import { schemaTreeRoutes } from './schemas/schema-tree-routes.js';
import { taskRoutes } from './task-routes.js';
import { tokenChangeRoutes } from './tokens/token-change-routes.js';
import { tokenRoutes } from './tokens/token-routes.js';
import { recordRoutes } from './trials/record-routes.js';
import { trialDataRoutes } from './trials/trial-data-routes.js';
import { trialRoutes } from './trials/trial-routes.js';

export const sandboxRoutes = (deps: RouteDeps): SandboxRoute[] => [
  ...accountRoutes(deps),
  ...profileRoutes(deps),
  ...taskRoutes(deps),
  ...policyRoutes(deps),
  ...editingRoutes(deps),
  ...trialRoutes(deps),
  ...trialDataRoutes(deps),
  ...recordRoutes(deps),
  ...schemasRoutes(deps),
  ...tokenRoutes(deps),
  ...tokenChangeRoutes(deps),
  ...moduleRoutes(deps),
  ...toolRoutes(deps),
  ...platformRoutes(deps),
  ...absentRoutes,
];

const editingRoutes = (deps: RouteDeps): SandboxRoute[] => [
  ...draftRoutes(deps),
  ...editRoutes(deps),
  ...aboutRoutes(deps),
  ...exportRoutes(deps),
  ...importRoutes(deps),
];

const schemasRoutes = (deps: RouteDeps): SandboxRoute[] => [
  ...schemaRoutes(deps),
  ...schemaFileRoutes(deps),
  ...schemaTreeRoutes(deps),
  ...ownSchemaRoutes(deps),
];

const platformRoutes = (deps: RouteDeps): SandboxRoute[] => [
  ...tagRoutes(deps),
  ...artifactRoutes(deps),
  ...themeRoutes(deps),
  ...settingsRoutes(deps),
  ...ipfsRoutes(deps),
  ...logRoutes(deps),
  ...trustChainRoutes(deps),
  ...compareRoutes(deps),
  ...searchRoutes(deps),
  ...didRoutes(),
  ...projectRoutes(deps),
  ...notificationRoutes(deps),
  ...pageRoutes(),
];
