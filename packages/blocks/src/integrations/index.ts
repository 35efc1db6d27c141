/** Integrations: blocks that call services outside the policy. */
import type { BlockType } from '@blockwork/core/block';
import { httpRequestBlock, type HttpRequestOptions } from './http-request.js';

export { httpRequestBlock, type HttpRequestOptions };
export { webhookSender, type WebhookSenderOptions } from './webhook-sender.js';

export const integrationBlocks = (
  options: { readonly httpRequest?: HttpRequestOptions } = {},
): readonly BlockType[] => [httpRequestBlock(options.httpRequest)];
