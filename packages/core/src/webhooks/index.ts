/** Webhooks: the owner of a policy is told over HTTP what moves in it. */
export { WebhookDelivery } from './webhook-delivery.js';
export { isWebhookSecret, newWebhookSecret } from './webhook-message.js';
export { WebhookStore, type WebhookLimits } from './webhook-store.js';
