/** Integrations: blocks that talk to services outside of the policy. */
import type { BlockType } from '@blockwork/core/block';
import { httpRequestBlock, type HttpRequestOptions } from './http-request.js';

export { httpRequestBlock, type HttpRequestOptions };

export const integrationBlocks = (
  options: { readonly httpRequest?: HttpRequestOptions } = {},
): readonly BlockType[] => [httpRequestBlock(options.httpRequest)];
