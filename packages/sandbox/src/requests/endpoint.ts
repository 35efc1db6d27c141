/** Answers one route of the sandbox. */
import { BlockworkError } from '@blockwork/core';
import { describeDetails, toDetails } from '@blockwork/core/block';
import {
  assertExactNumbers,
  type BodyBounds,
  type BodyBudget,
  BodyShare,
  collectBody,
  type HttpAnswer,
  type HttpRequest,
  jsonHeaders,
  type LayerHost,
  mediaType,
  TransportError,
  unsupportedType,
} from '@blockwork/http';
import { isUtf8 } from 'node:buffer';
import { parse } from 'secure-json-parse';
import type { z } from 'zod';
import type { People, Person } from './person.js';
import { refusedWithList } from './refusal.js';

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

const FORM = 'application/x-www-form-urlencoded';

export const isForm = (request: HttpRequest): boolean => mediaType(request.header('content-type')) === FORM;

/** The members of a JSON object or of a form; none for an empty body and for `null`. */
export async function readData(request: HttpRequest, bounds: BodyBounds): Promise<unknown> {
  if (request.parsedBody !== undefined) return request.parsedBody ?? {};
  const bytes = await collectBody(request, bounds);
  if (bytes.length === 0) return {};
  if (!isUtf8(bytes)) throw malformed('it is not UTF-8');
  const text = bytes.toString('utf8');
  if (isForm(request)) return Object.fromEntries(new URLSearchParams(text));
  const type = request.header('content-type');
  // Pages of other sites may send any other type without asking first.
  if (mediaType(type) !== 'application/json') throw unsupportedType(`application/json or ${FORM}`, type);
  const data = parsed(text);
  assertExactNumbers(text);
  return data ?? {};
}

function parsed(text: string): unknown {
  try {
    return parse(text, { protoAction: 'error', constructorAction: 'error' });
  } catch (cause) {
    throw malformed('it is truncated, or neither JSON nor a form', cause);
  }
}

/** Throws `INPUT_INVALID` with every failure. */
export function checked<Value>(body: unknown, schema: z.ZodType<Value>): Value {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const details = toDetails(parsed.error);
  const reason = `The body is invalid: ${describeDetails(details)}.`;
  throw new BlockworkError('INPUT_INVALID', { facts: { reason }, details });
}

const malformed = (reason: string, cause?: unknown): TransportError =>
  new TransportError('BODY_MALFORMED', { facts: { reason }, cause });

export interface SandboxReply {
  readonly status: number;
  /** A JSON value; nothing is sent if it is absent. */
  readonly body?: unknown;
  /** Sent as plain text; replaces `body`. */
  readonly plain?: string;
  /** For lists: the number of items before paging. */
  readonly total?: number;
}

export interface SandboxCall {
  /** The caller. Rejects on public routes if there is no token. */
  readonly person: () => Promise<Person>;
  readonly params: Readonly<Record<string, string>>;
  /** The last value of a key wins. The text `undefined`, sent by the web client, counts as absent. */
  readonly query: ReadonlyMap<string, string>;
  /** Unvalidated members of a JSON object or of a form; a `Uint8Array` for files. */
  readonly body: unknown;
  readonly request: HttpRequest;
}

export interface SandboxRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the prefix; parameters in braces. */
  readonly path: string;
  /** Whether the route is public. */
  readonly isOpen?: boolean;
  readonly body?: 'data' | 'file';
  readonly handle: (call: SandboxCall) => Promise<SandboxReply> | SandboxReply;
}

export const ok = (body?: unknown): SandboxReply => ({ status: 200, body });
export const created = (body: unknown): SandboxReply => ({ status: 201, body });

/** A page of a list as the query asks for it, at most 100 without one; `total` is that of the whole list. */
export function page<Item>(
  items: readonly Item[],
  query: ReadonlyMap<string, string>,
): SandboxReply & { readonly body: Item[] } {
  const size = wholeNumber(query.get('pageSize'), 100, 1, 1000);
  const index = wholeNumber(query.get('pageIndex'), 0, 0, 1_000_000);
  return { status: 200, body: items.slice(index * size, (index + 1) * size), total: items.length };
}

function wholeNumber(text: string | undefined, fallback: number, least: number, most: number): number {
  const value = text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : fallback;
  return Math.min(most, Math.max(least, value));
}
