/** The contract: every route of the HTTP interface. */
import { blockRoutes } from './blocks.js';
import { externalRoutes } from './external.js';
import { healthRoutes } from './health.js';
import { lifecycleRoutes } from './lifecycle.js';
import { policyRoutes } from './policies.js';
import { requestRoutes } from './requests.js';

export const contract = {
  ...policyRoutes,
  ...lifecycleRoutes,
  ...blockRoutes,
  ...externalRoutes,
  ...requestRoutes,
  ...healthRoutes,
} as const;

export type Contract = typeof contract;
export type RouteName = keyof Contract;

/** Path prefix of the interface (interface, "Versioning"). */
export const DEFAULT_PREFIX = '/api/v1';

export type { Answer, Body, BodyOf, Method, ParamsOf, Query, QueryOf, Route } from './route.js';
export type { Parameter } from './parameter.js';
export type { PageQuery } from './query-parameters.js';
