/** Responses to failed requests, from the sandbox or the interface. */
import { isObject } from '@blockwork/core/records';
import { jsonHeaders } from '@blockwork/http';
import type { HttpAnswer, HttpRequest, LayerHost } from '@blockwork/http';
import { SandboxError } from '../errors.js';

export function refused(request: HttpRequest, error: unknown, host: LayerHost): HttpAnswer {
  if (!(error instanceof SandboxError)) return withStatusCode(host.refuse(request, error));
  const { status, code, message } = error;
  const requestId = host.requestIdOf(request);
  const challenge: Record<string, string> = status === 401 ? { 'WWW-Authenticate': 'Bearer realm="blockwork"' } : {};
  const body = { statusCode: status, code: status, message, error: code, requestId };
  return { status, headers: { ...jsonHeaders(requestId), ...challenge }, body: JSON.stringify(body) };
}

/** Like the reference, whose own routes list what is wrong with a body, in `message`; blocks and files have a text. */
export function refusedWithList(request: HttpRequest, error: unknown, host: LayerHost): HttpAnswer {
  const answer = refused(request, error, host);
  const body = answer.status === 422 ? errorOf(answer) : undefined;
  if (body === undefined || !(error instanceof SandboxError || body['error'] === 'INPUT_INVALID')) return answer;
  const details = Array.isArray(body['details']) ? body['details'].filter(isObject) : [];
  const message = details.map(({ path, message: what }) => `${namesOf(path)} ${String(what)}`.trim());
  return { ...answer, body: JSON.stringify({ ...body, message: message.length > 0 ? message : [body['message']] }) };
}

/** A JSON pointer as the dotted path of the reference. */
const namesOf = (pointer: unknown): string => String(pointer).replace(/^\//, '').replaceAll('/', '.');

/** Adds `statusCode` to errors, as clients of the reference expect; other responses are unchanged. */
export function withStatusCode(answer: HttpAnswer): HttpAnswer {
  const body = errorOf(answer);
  if (body === undefined) return answer;
  return { ...answer, body: JSON.stringify({ statusCode: answer.status, ...body }) };
}

/** The body of an error; `undefined` for other responses. */
export function errorOf({ status, body }: HttpAnswer): Readonly<Record<string, unknown>> | undefined {
  if (status < 400 || typeof body !== 'string') return undefined;
  const parsed: unknown = JSON.parse(body);
  return isObject(parsed) ? parsed : undefined;
}
