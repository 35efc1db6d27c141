/** The HTTP interface as a function from `Request` to `Response`. */
import type { PolicyEngine } from '@blockwork/core';
import { checkOptions, demandObject } from '@blockwork/core/adapter';
import { interfaceOptionShape, PolicyInterface, resolveOptions } from '@blockwork/http';
import type { HttpAnswer, InterfaceOptions } from '@blockwork/http';
import { FetchRequest } from './fetch-request.js';
import { toResponse } from './to-response.js';

export type HandlerOptions = InterfaceOptions<Request>;

export type PolicyHandler = (request: Request) => Promise<Response>;

/**
 * The HTTP interface of an engine, with `/healthz`, for any runtime with the Fetch standard. The handler never
 * rejects: failures become responses. Throws `OPTION_INVALID`.
 *
 * @example
 * const handler = createPolicyHandler(engine, { auth: { secret } });
 * const response = await handler(new Request('http://localhost/api/v1/policies', { headers }));
 */
export function createPolicyHandler(engine: PolicyEngine, options: HandlerOptions): PolicyHandler {
  demandObject(engine, 'createPolicyHandler', 'engine');
  checkOptions(options, interfaceOptionShape, '', 'createPolicyHandler');
  const policies = new PolicyInterface(engine, resolveOptions(options));
  return async (source) => {
    const request = new FetchRequest(source);
    return toResponse(await answerTo(policies, request), request.method);
  };
}

async function answerTo(policies: PolicyInterface<Request>, request: FetchRequest): Promise<HttpAnswer> {
  const answer = policies.answer(request);
  if (answer !== undefined) return answer;
  return (
    policies.answerService(request, false) ?? policies.answerOtherMethod(request) ?? policies.answerUnknown(request)
  );
}
