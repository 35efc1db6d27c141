/** The contract: every route of the HTTP interface. */
import { blockRoutes } from './routes/blocks.js';
import { documentRoutes } from './routes/documents.js';
import { externalRoutes } from './routes/external.js';
import { healthRoutes } from './routes/health.js';
import { lifecycleRoutes } from './routes/lifecycle.js';
import { policyRoutes } from './routes/policies.js';
import { requestRoutes } from './routes/requests.js';

/** The routes by subject. */
export const routeGroups = {
  Policies: policyRoutes,
  Lifecycle: lifecycleRoutes,
  Blocks: blockRoutes,
  'External data': externalRoutes,
  'Requests between instances': requestRoutes,
  Service: { ...documentRoutes, ...healthRoutes },
} as const;

export const contract = {
  ...policyRoutes,
  ...lifecycleRoutes,
  ...blockRoutes,
  ...externalRoutes,
  ...requestRoutes,
  ...documentRoutes,
  ...healthRoutes,
} as const;

export type Contract = typeof contract;
export type RouteName = keyof Contract;

/** Path prefix of the interface (interface, "Versioning"). */
export const DEFAULT_PREFIX = '/api/v1';
