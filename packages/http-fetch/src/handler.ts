/** The HTTP interface as a function from `Request` to `Response`. */
import type { PolicyEngine } from '@blockwork/core';
import { checkOptions, demandObject } from '@blockwork/core/adapter';
import {
  type AnswerStream,
  type HttpAnswer,
  type InterfaceOptions,
  interfaceOptionShape,
  isStream,
  PolicyInterface,
  resolveOptions,
} from '@blockwork/http';
import { FetchRequest } from './fetch-request.js';

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

/** The response to `HEAD` has the headers of `GET`, but no body. */
function toResponse({ status, headers, body }: HttpAnswer, method: string): Response {
  if (body === null) return new Response(null, { status, headers });
  if (isStream(body)) return new Response(method === 'HEAD' ? discarded(body) : readable(body), { status, headers });
  const length = String(Buffer.byteLength(body));
  return new Response(method === 'HEAD' ? null : (body as NonNullable<RequestInit['body']>), {
    status,
    headers: { ...headers, 'Content-Length': length },
  });
}

function discarded(stream: AnswerStream): null {
  stream.cancel();
  return null;
}

/** Pull-based, for back-pressure from the client. */
function readable(stream: AnswerStream): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await stream.chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      cancel: () => stream.cancel(),
    },
    { highWaterMark: 0 },
  );
}
