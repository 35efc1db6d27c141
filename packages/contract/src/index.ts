/** `@blockwork/contract`: the HTTP interface as data, from which servers, clients and documents derive. */
export { contract, DEFAULT_PREFIX, routeGroups, type Contract, type RouteName } from './contract.js';
export {
  permissions,
  type Answer,
  type AnswerOf,
  type Body,
  type BodyOf,
  type Method,
  type Optional,
  type ParamsOf,
  type Permission,
  type Query,
  type QueryOf,
  type Route,
  type StatusOf,
} from './route.js';
export { fits, withSlashes, type Parameter } from './parameter.js';
export type { PageQuery } from './query-parameters.js';
export { errorBody } from './records/error-body.js';
export { openApiDocument, type OpenApiDocument, type OpenApiOptions } from './openapi/document.js';
export { policyOpenApiDocument, type DescribedBlock, type DescribedPolicy } from './openapi/policy-document.js';
