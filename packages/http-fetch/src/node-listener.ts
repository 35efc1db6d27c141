/** Adapts a Fetch handler to Node's HTTP server. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { UnderlyingSource } from 'node:stream/web';
import { demandOptions } from '@blockwork/core/adapter';
import type { PolicyHandler } from './handler.js';

export type NodeListener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * A handler as a listener of `node:http`, and as a middleware of Express, also behind its body parsers.
 *
 * @example
 * createServer(nodeListener(handler)).listen(3000);
 */
export function nodeListener(handler: PolicyHandler): NodeListener {
  return async (incoming, outgoing) => {
    const disconnect = new AbortController();
    outgoing.once('close', () => disconnect.abort());
    await sendResponse(outgoing, await handler(toRequest(incoming, { signal: disconnect.signal })));
  };
}

export interface NodeRequestOptions {
  /** The body, if another parser has read it and keeps it elsewhere than in `request.body`. */
  readonly body?: unknown;
  /** Aborted when the client disconnects. */
  readonly signal?: AbortSignal;
}

/**
 * Converts a Node request to a Fetch request. A body already read by a parser is taken from `options.body` or
 * `request.body`.
 *
 * @example
 * fastify.all('/api/v1/*', (request, reply) => handler(toRequest(request.raw, { body: request.body })));
 */
export function toRequest(incoming: IncomingMessage, options: NodeRequestOptions = {}): Request {
  demandOptions(options, 'toRequest', 'options');
  // Express keeps the whole path in `originalUrl` where the handler is mounted below one.
  const { originalUrl } = incoming as { originalUrl?: string };
  const url = urlOf(originalUrl ?? incoming.url ?? '/');
  const { method = 'GET' } = incoming;
  const headers = headersOf(incoming);
  const signal = options.signal === undefined ? {} : { signal: options.signal };
  if (forbidden.has(method)) return withMethod(method, new Request(url, { headers, ...signal }));
  const body = method === 'GET' || method === 'HEAD' ? undefined : bodyOf(incoming, options.body, headers);
  return new Request(url, { method, headers, ...(body === undefined ? {} : { body, duplex: 'half' }), ...signal });
}

/** Methods that a `Request` must not be made with (Fetch standard, section 2.2.1), though servers receive them. */
const forbidden: ReadonlySet<string> = new Set(['CONNECT', 'TRACE', 'TRACK']);

/** No route has such a method, which the answer then says, as to any other. */
const withMethod = (method: string, request: Request): Request =>
  Object.defineProperty(request, 'method', { value: method });

/** Proxies send absolute targets (RFC 9112, section 3.2.2). What is no path at all becomes one that no route has. */
function urlOf(target: string): string {
  if (target.startsWith('/')) return `http://localhost${target}`;
  const { pathname, search } = URL.canParse(target) ? new URL(target) : { pathname: `/${target}`, search: '' };
  return `http://localhost${pathname}${search}`;
}

function headersOf({ headers }: IncomingMessage): Headers {
  const result = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    // HTTP/2 has pseudo-headers.
    if (value === undefined || name.startsWith(':')) continue;
    for (const each of [value].flat()) result.append(name, each);
  }
  return result;
}

/** Changes the headers where they no longer describe the body. */
function bodyOf(incoming: IncomingMessage, body: unknown, headers: Headers): RequestInit['body'] {
  const parsed = body ?? (incoming.readableEnded ? (incoming as { body?: unknown }).body : undefined);
  if (parsed === undefined) return streamOf(incoming);
  headers.delete('content-encoding');
  headers.delete('content-length');
  return parsed instanceof Uint8Array || typeof parsed === 'string'
    ? (parsed as RequestInit['body'])
    : JSON.stringify(parsed);
}

/** Touches the body only when it is read, so that Node discards an unread body. */
function streamOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks = incoming.iterator({ destroyOnReturn: false });
  const source: UnderlyingSource<Uint8Array> = {
    pull: async (controller) => {
      const { done, value } = (await chunks.next()) as IteratorResult<Uint8Array, undefined>;
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => {
      await chunks.return?.();
      incoming.resume();
    },
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}

async function sendResponse(outgoing: ServerResponse, response: Response): Promise<void> {
  outgoing.statusCode = response.status;
  response.headers.forEach((value, name) => outgoing.setHeader(name, value));
  if (response.body === null) {
    outgoing.end();
  } else if (response.headers.has('content-length')) {
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  } else {
    await pipeline(Readable.fromWeb(response.body), outgoing).catch(ignoreAbort);
  }
}

/** The client may disconnect at any time. */
function ignoreAbort(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
}
