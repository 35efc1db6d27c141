/** Webhooks: notify the owner of a policy over HTTP of its events. */
export { WebhookDelivery } from './webhook-delivery.js';
export { isWebhookSecret, newWebhookSecret } from './webhook-message.js';
export { WebhookStore, type WebhookLimits } from './webhook-store.js';
