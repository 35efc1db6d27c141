/** Answers one route of the sandbox. */
import { BlockworkError } from '@blockwork/core';
import { describeDetails, toDetails } from '@blockwork/core/block';
import {
  type BodyBounds,
  type BodyBudget,
  BodyShare,
  collectBody,
  type HttpAnswer,
  type HttpRequest,
  jsonHeaders,
  type LayerHost,
  mediaType,
  parseJson,
  TransportError,
  unsupportedType,
  utf8Of,
} from '@blockwork/http';
import type { z } from 'zod';
import { readParts } from './parts.js';
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

function answerOf({ status, body, plain, total, file }: SandboxReply, requestId: string): HttpAnswer {
  const headers = jsonHeaders(requestId);
  if (total !== undefined) headers['X-Total-Count'] = String(total);
  if (file !== undefined) return { status, headers: { ...headers, ...headersOf(file) }, body: file.content };
  if (plain !== undefined)
    return { status, headers: { ...headers, 'Content-Type': 'text/plain; charset=utf-8' }, body: plain };
  if (body !== undefined) return { status, headers, body: JSON.stringify(body) };
  const { 'Content-Type': _, ...others } = headers;
  return { status, headers: others, body: null };
}

/** Nothing in a file that a client sent is shown by a browser as a page of this server. */
const headersOf = ({ name, type }: SentFile): Record<string, string> => ({
  'Content-Type': type,
  'Content-Disposition': `attachment; filename="${name.replaceAll(/[^\w.-]+/g, '_')}"`,
});

async function bodyOf(
  { body }: SandboxRoute,
  request: HttpRequest,
  { bodyLimit, policyFileLimit }: LayerHost,
  share: BodyShare,
): Promise<unknown> {
  if (body === undefined) return undefined;
  if (body === 'data') return objectOf(await readData(request, { limit: bodyLimit, share }));
  if (body === 'policy') return objectOf(await readData(request, { limit: policyFileLimit, share }));
  if (body === 'list') return listOf(await readData(request, { limit: bodyLimit, share }));
  const bytes = await collectBody(request, { limit: policyFileLimit, share });
  return body === 'files' ? readParts(bytes, request.header('content-type')) : bytes;
}

function objectOf(body: unknown): object {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  throw new BlockworkError('INPUT_INVALID', { facts: { reason: 'The body is invalid: it must be an object.' } });
}

function listOf(body: unknown): readonly unknown[] {
  if (Array.isArray(body)) return body;
  throw new BlockworkError('INPUT_INVALID', { facts: { reason: 'The body is invalid: it must be a list.' } });
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
  if (isForm(request)) return Object.fromEntries(new URLSearchParams(utf8Of(bytes)));
  const type = request.header('content-type');
  // Pages of other sites may send any other type without asking first.
  if (mediaType(type) !== 'application/json') throw unsupportedType(`application/json or ${FORM}`, type);
  return (await parseJson(bytes)) ?? {};
}

/** Throws `INPUT_INVALID` with every failure. */
export function checked<Value>(body: unknown, schema: z.ZodType<Value>): Value {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const details = toDetails(parsed.error);
  const reason = `The body is invalid: ${describeDetails(details)}.`;
  throw new BlockworkError('INPUT_INVALID', { facts: { reason }, details });
}

/** Throws `INPUT_INVALID` for a parameter that the query lacks. */
export function checkedQuery(query: SandboxCall['query'], name: string): string {
  const value = query.get(name);
  if (value !== undefined) return value;
  const details = [{ path: `/${name}`, message: 'is missing in the query' }];
  throw new BlockworkError('INPUT_INVALID', { facts: { reason: `The query needs ${name}.` }, details });
}

export interface SandboxReply {
  readonly status: number;
  /** A JSON value; nothing is sent if it is absent. */
  readonly body?: unknown;
  /** Sent as plain text; replaces `body`. */
  readonly plain?: string;
  /** Sent as a download; replaces `body`. */
  readonly file?: SentFile;
  /** For lists: the number of items before paging. */
  readonly total?: number;
}

export interface SentFile {
  readonly name: string;
  readonly type: string;
  readonly content: Uint8Array | string;
}

export interface SandboxCall {
  /** The caller. Rejects on public routes if there is no token. */
  readonly person: () => Promise<Person>;
  readonly params: Readonly<Record<string, string>>;
  /** The last value of a key wins. The text `undefined`, sent by the web client, counts as absent. */
  readonly query: ReadonlyMap<string, string>;
  /** Unvalidated members of a JSON object or of a form, or a list; a `Uint8Array` for a file, `FilePart[]` for files. */
  readonly body: unknown;
  readonly request: HttpRequest;
}

export interface SandboxRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the prefix; parameters in braces. */
  readonly path: string;
  /** Whether the route is public. */
  readonly isOpen?: boolean;
  /** `policy` is data that may be as large as the file of a policy, `files` a form with files. */
  readonly body?: 'data' | 'policy' | 'list' | 'file' | 'files';
  /** `empty` always answers the same, since there is nothing of the kind in a sandbox, `absent` that it cannot be done. */
  readonly state?: 'empty' | 'absent';
  readonly handle: (call: SandboxCall) => Promise<SandboxReply> | SandboxReply;
}

export const ok = (body?: unknown): SandboxReply => ({ status: 200, body });
export const created = (body: unknown): SandboxReply => ({ status: 201, body });
export const gone: SandboxReply = { status: 204 };
export const download = (name: string, type: string, content: Uint8Array | string): SandboxReply => ({
  status: 200,
  file: { name, type, content },
});
export const ZIP = 'application/zip';

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
