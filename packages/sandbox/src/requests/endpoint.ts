/** Answers one route of the sandbox. */
import { BlockworkError } from '@blockwork/core';
import { BodyShare, collectBody, jsonHeaders, TransportError } from '@blockwork/http';
import type { BodyBudget, HttpAnswer, HttpRequest, LayerHost } from '@blockwork/http';
import { readData } from './body.js';
import type { People } from './person.js';
import { refusedWithList } from './refusal.js';
import type { SandboxReply, SandboxRoute } from './route.js';

/** Never rejects. `captures` are the path parameters, still encoded. */
export type SandboxEndpoint = (request: HttpRequest, captures: Readonly<Record<string, string>>) => Promise<HttpAnswer>;

export interface EndpointDeps {
  readonly host: LayerHost;
  readonly people: People;
  readonly bodies: BodyBudget;
}

export function sandboxEndpoint(route: SandboxRoute, { host, people, bodies }: EndpointDeps): SandboxEndpoint {
  const name = `sandbox ${route.method} ${route.path}`;
  return async (request, captures) => {
    const since = host.accessLog?.now() ?? 0;
    const requestId = host.requestIdOf(request);
    const share = new BodyShare(bodies);
    let caller: string | null = null;
    let answer: HttpAnswer;
    try {
      const person = route.isOpen === true ? undefined : await people.of(request);
      caller = person?.caller?.did ?? null;
      const call = {
        person: async () => person ?? people.of(request),
        params: decoded(captures),
        query: readQuery(request.query),
        body: await bodyOf(route, request, host, share),
        request,
      };
      answer = answerOf(await route.handle(call), requestId);
    } catch (error) {
      answer = refusedWithList(request, error, host);
    } finally {
      share.release();
    }
    const { method, path } = request;
    host.accessLog?.write({ requestId, method, route: name, path, caller, since }, answer);
    return answer;
  };
}

function answerOf({ status, body, plain, total }: SandboxReply, requestId: string): HttpAnswer {
  const headers = jsonHeaders(requestId);
  if (total !== undefined) headers['X-Total-Count'] = String(total);
  if (plain !== undefined)
    return { status, headers: { ...headers, 'Content-Type': 'text/plain; charset=utf-8' }, body: plain };
  if (body !== undefined) return { status, headers, body: JSON.stringify(body) };
  const { 'Content-Type': _, ...others } = headers;
  return { status, headers: others, body: null };
}

async function bodyOf(
  { body }: SandboxRoute,
  request: HttpRequest,
  { bodyLimit, policyFileLimit }: LayerHost,
  share: BodyShare,
): Promise<unknown> {
  if (body === undefined) return undefined;
  if (body === 'data') return objectOf(await readData(request, { limit: bodyLimit, share }));
  return collectBody(request, { limit: policyFileLimit, share });
}

function objectOf(body: unknown): object {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  throw new BlockworkError('INPUT_INVALID', { facts: { reason: 'The body is invalid: it must be an object.' } });
}

function decoded(captures: Readonly<Record<string, string>>): Record<string, string> {
  try {
    return Object.fromEntries(Object.entries(captures).map(([name, text]) => [name, decodeURIComponent(text)]));
  } catch (cause) {
    throw new TransportError('PATH_MALFORMED', { cause });
  }
}

const readQuery = (text: string): Map<string, string> =>
  new Map([...new URLSearchParams(text)].filter(([, value]) => value !== '' && value !== 'undefined'));
