/** Every handler, by route. */
import { blockHandlers } from './blocks.js';
import type { EngineRoute, HandlersOf } from './call.js';
import { editingHandlers } from './editing.js';
import { eventHandlers } from './events.js';
import { explanationHandlers } from './explanations.js';
import { externalHandlers } from './external.js';
import { identityHandlers } from './identities.js';
import { documentHandlers, pendingWorkHandlers, timerHandlers, tokenHandlers } from './inspection.js';
import { journalHandlers } from './journal.js';
import { lifecycleHandlers } from './lifecycle.js';
import { nodeHandlers } from './nodes.js';
import { notificationHandlers } from './notifications.js';
import { policyHandlers } from './policies.js';
import { requestHandlers } from './requests.js';
import { rowHandlers } from './rows.js';
import { trialHandlers } from './trials.js';
import { webhookHandlers } from './webhooks.js';
import { workbookHandlers } from './workbooks.js';

export const handlers: HandlersOf<EngineRoute> = {
  ...policyHandlers,
  ...editingHandlers,
  ...workbookHandlers,
  ...lifecycleHandlers,
  ...trialHandlers,
  ...blockHandlers,
  ...rowHandlers,
  ...explanationHandlers,
  ...pendingWorkHandlers,
  ...journalHandlers,
  ...documentHandlers,
  ...tokenHandlers,
  ...timerHandlers,
  ...eventHandlers,
  ...externalHandlers,
  ...identityHandlers,
  ...requestHandlers,
  ...notificationHandlers,
  ...webhookHandlers,
  ...nodeHandlers,
};

export type { EngineRoute } from './call.js';
