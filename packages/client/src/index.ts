/** `@blockwork/client`: a typed client for the HTTP interface. */
export { createClient, type Client } from './client.js';
export { BlockworkApiError, type ApiErrorDetail } from './api-error.js';
export { newIdempotencyKey, type ClientOptions } from './transport.js';
export type { EventOptions, PolicyEvent } from './events.js';
export type { PolicyClient } from './policy-client.js';
export type { BlockClient, BlockName } from './block-client.js';
export {
  canTransition,
  statusIs,
  type PolicyStatus,
  type PolicyTransition,
  type StatusTrait,
} from '@blockwork/contract/statuses';
export type { CallArgs, CallOptions, CallResult, RouteCalls } from './types.js';
