/** Integrations: blocks that call external services. */
import type { BlockType } from '@blockwork/core/block';
import { httpRequestBlock, type HttpRequestOptions } from './http-request.js';
import { integrationButtonBlock } from './integration-button.js';
import type { IntegrationOptions } from './integrations.js';

export { httpRequestBlock, type HttpRequestOptions, integrationButtonBlock };
export type { Integration, IntegrationAnswer, IntegrationCall, IntegrationOptions } from './integrations.js';
export { webhookSender, type WebhookSenderOptions } from './webhook-sender.js';

export const integrationBlocks = (
  options: { readonly httpRequest?: HttpRequestOptions; readonly integrations?: IntegrationOptions } = {},
): readonly BlockType[] => [httpRequestBlock(options.httpRequest), integrationButtonBlock(options.integrations)];
