/** Where each route is. A copy of what the contract says, without its schemas; a test compares both. */
import type { Method, RouteName } from '@blockwork/contract';

export const routes = {
  listPolicies: 'GET /policies',
  importPolicyFile: 'POST /policies/import/file',
  getPolicy: 'GET /policies/{policyId}',
  exportPolicyFile: 'GET /policies/{policyId}/export/file',
  listTokens: 'GET /policies/{policyId}/tokens',
  listGroups: 'GET /policies/{policyId}/groups',
  switchGroup: 'POST /policies/{policyId}/groups',
  getNavigation: 'GET /policies/{policyId}/navigation',
  replacePolicyFile: 'PUT /policies/{policyId}/file',
  deletePolicy: 'DELETE /policies/{policyId}',
  dryRunPolicy: 'PUT /policies/{policyId}/dry-run',
  draftPolicy: 'PUT /policies/{policyId}/draft',
  publishPolicy: 'PUT /policies/{policyId}/publish',
  discontinuePolicy: 'PUT /policies/{policyId}/discontinue',
  listFindings: 'GET /policies/{policyId}/findings',
  readRoot: 'GET /policies/{policyId}/blocks',
  readBlock: 'GET /policies/{policyId}/blocks/{uuid}',
  sendToBlock: 'POST /policies/{policyId}/blocks/{uuid}',
  getBlockId: 'GET /policies/{policyId}/tag/{tag}',
  readBlockByTag: 'GET /policies/{policyId}/tag/{tag}/blocks',
  sendToBlockByTag: 'POST /policies/{policyId}/tag/{tag}/blocks',
  explainBlock: 'GET /policies/{policyId}/blocks/{uuid}/availability',
  explainDocument: 'GET /policies/{policyId}/blocks/{uuid}/documents/{documentId}/selection',
  readJournal: 'GET /policies/{policyId}/journal',
  readJournalEntry: 'GET /policies/{policyId}/journal/{entryId}',
  listDocuments: 'GET /policies/{policyId}/documents',
  getDocument: 'GET /policies/{policyId}/documents/{documentId}',
  getTrustChain: 'GET /policies/{policyId}/documents/{documentId}/trust-chain',
  listSchemas: 'GET /policies/{policyId}/schemas',
  getSchema: 'GET /policies/{policyId}/schemas/{iri}',
  getToken: 'GET /policies/{policyId}/tokens/{tokenId}',
  listBalances: 'GET /policies/{policyId}/tokens/{tokenId}/balances',
  listLedger: 'GET /policies/{policyId}/ledger',
  listTimers: 'GET /policies/{policyId}/timers',
  runTimer: 'POST /policies/{policyId}/timers/{tag}/run',
  policyEvents: 'GET /policies/{policyId}/events',
  events: 'GET /events',
  sendExternalData: 'POST /external',
  sendExternalDataToBlock: 'POST /external/{policyId}/{tag}',
  listKeys: 'GET /identities/keys',
  registerKey: 'POST /identities/keys',
  revokeKey: 'PUT /identities/keys/{key}/revoke',
  rotateKey: 'PUT /identities/keys/{key}/rotate',
  listRevokedTokens: 'GET /identities/revoked-tokens',
  revokeToken: 'POST /identities/revoked-tokens',
  getIdentityDocument: 'GET /identities/{did}/document',
  listRequests: 'GET /external-policies/requests',
  countRequests: 'GET /external-policies/requests/count',
  refusedMessages: 'GET /external-policies/requests/refused',
  getRequest: 'GET /external-policies/requests/{messageId}',
  approveRequest: 'PUT /external-policies/requests/{messageId}/approve',
  rejectRequest: 'PUT /external-policies/requests/{messageId}/reject',
  cancelRequest: 'PUT /external-policies/requests/{messageId}/cancel',
  listNotifications: 'GET /notifications',
  readNotification: 'PUT /notifications/{notificationId}/read',
  readAllNotifications: 'POST /notifications/read/all',
  removeNotification: 'DELETE /notifications/{notificationId}',
  listWebhooks: 'GET /policies/{policyId}/webhooks',
  registerWebhook: 'POST /policies/{policyId}/webhooks',
  removeWebhook: 'DELETE /policies/{policyId}/webhooks/{webhookId}',
  listDeadLetters: 'GET /policies/{policyId}/webhooks/{webhookId}/dead-letters',
  resendWebhook: 'PUT /policies/{policyId}/webhooks/{webhookId}/resend',
  listNodes: 'GET /nodes',
  getOpenApi: 'GET /openapi.json',
  health: 'GET /healthz',
  ready: 'GET /readyz',
} as const satisfies Readonly<Record<RouteName, `${Method} /${string}`>>;

export const streams: ReadonlySet<RouteName> = new Set(['policyEvents', 'events']);

export const outsidePrefix: ReadonlySet<RouteName> = new Set(['health', 'ready']);

/** They are carried out once for each idempotency key. */
export const takesIdempotencyKey: ReadonlySet<RouteName> = new Set([
  'sendToBlock',
  'sendToBlockByTag',
  'sendExternalData',
  'sendExternalDataToBlock',
]);

/** Repeating them does no harm: reads, decisions that are made at most once, changes of keys, and notifications read. */
export const isIdempotent = (name: RouteName): boolean =>
  routes[name].startsWith('GET') ||
  /^((approve|reject|cancel)Request|(register|revoke|rotate)Key|read(All)?Notifications?)$/.test(name);
