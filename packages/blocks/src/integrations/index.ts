/** Integrations: blocks that talk to services outside of the policy. */
import type { AnyBlockType } from '@blockwork/core/block';
import { HttpRequest, type HttpRequestOptions } from './http-request.js';

export { HttpRequest, type HttpRequestOptions };

export const integrationBlocks = (
  options: { readonly httpRequest?: HttpRequestOptions } = {},
): readonly AnyBlockType[] => [new HttpRequest(options.httpRequest)];
