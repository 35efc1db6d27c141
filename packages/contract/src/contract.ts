/** The contract: every route of the HTTP interface. */
import { blockRoutes } from './routes/blocks.js';
import { documentRoutes } from './routes/documents.js';
import { editingRoutes } from './routes/editing.js';
import { eventRoutes } from './routes/events.js';
import { explanationRoutes } from './routes/explanations.js';
import { externalRoutes } from './routes/external.js';
import { healthRoutes } from './routes/health.js';
import { identityRoutes } from './routes/identities.js';
import { journalRoutes } from './routes/journal.js';
import { lifecycleRoutes } from './routes/lifecycle.js';
import { nodeRoutes } from './routes/nodes.js';
import { notificationRoutes } from './routes/notifications.js';
import { pendingWorkRoutes } from './routes/pending-work.js';
import { policyDocumentRoutes } from './routes/policy-documents.js';
import { policyRoutes } from './routes/policies.js';
import { requestRoutes } from './routes/requests.js';
import { rowRoutes } from './routes/rows.js';
import { timerRoutes } from './routes/timers.js';
import { trialRoutes } from './routes/trials.js';
import { tokenRoutes } from './routes/tokens.js';
import { webhookRoutes } from './routes/webhooks.js';
import { workbookRoutes } from './routes/workbooks.js';

/** The routes by subject. */
export const routeGroups = {
  Policies: policyRoutes,
  Editing: editingRoutes,
  Workbooks: workbookRoutes,
  Lifecycle: lifecycleRoutes,
  Trials: trialRoutes,
  Blocks: blockRoutes,
  Rows: rowRoutes,
  Explanations: explanationRoutes,
  'Pending work': pendingWorkRoutes,
  Journal: journalRoutes,
  Documents: policyDocumentRoutes,
  Tokens: tokenRoutes,
  Timers: timerRoutes,
  Events: eventRoutes,
  'External data': externalRoutes,
  Identities: identityRoutes,
  'Requests between instances': requestRoutes,
  Notifications: notificationRoutes,
  Webhooks: webhookRoutes,
  Nodes: nodeRoutes,
  Service: { ...documentRoutes, ...healthRoutes },
} as const;

export const contract = {
  ...policyRoutes,
  ...editingRoutes,
  ...workbookRoutes,
  ...lifecycleRoutes,
  ...trialRoutes,
  ...blockRoutes,
  ...rowRoutes,
  ...explanationRoutes,
  ...pendingWorkRoutes,
  ...journalRoutes,
  ...policyDocumentRoutes,
  ...tokenRoutes,
  ...timerRoutes,
  ...eventRoutes,
  ...externalRoutes,
  ...identityRoutes,
  ...requestRoutes,
  ...notificationRoutes,
  ...webhookRoutes,
  ...nodeRoutes,
  ...documentRoutes,
  ...healthRoutes,
} as const;

export type Contract = typeof contract;
export type RouteName = keyof Contract;

/** Path prefix of the interface (interface, "Versioning"). */
export const DEFAULT_PREFIX = '/api/v1';
