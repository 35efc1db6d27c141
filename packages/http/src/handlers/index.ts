/** Every handler, by route. */
import { blockHandlers } from './blocks.js';
import type { EngineRoute, HandlersOf } from './call.js';
import { externalHandlers } from './external.js';
import { lifecycleHandlers } from './lifecycle.js';
import { policyHandlers } from './policies.js';
import { requestHandlers } from './requests.js';

export const handlers: HandlersOf<EngineRoute> = {
  ...policyHandlers,
  ...lifecycleHandlers,
  ...blockHandlers,
  ...externalHandlers,
  ...requestHandlers,
};

export type { EngineRoute } from './call.js';
