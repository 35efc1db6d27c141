/** The HTTP interface as a server. */
import type { Logger, PolicyEngine } from '@blockwork/core';
import { checkOptions, demandObject, optionTypes } from '@blockwork/core/adapter';
import {
  Holdings,
  type HttpAnswer,
  type HttpRequest,
  type InterfaceLayer,
  interfaceOptionShape,
  PolicyInterface,
  resolveOptions,
  TransportError,
} from '@blockwork/http';
import type Koa from 'koa';
import type { Context } from 'koa';
import {
  createServer,
  type IncomingMessage,
  maxHeaderSize,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TokenAuthenticator } from '../auth/token-authenticator.js';
import { type RouterOptions, routesOf } from '../router/router.js';
import { listening, type ListenOptions, listenShape, urlOf } from './listening.js';
import { serverFrame, type ServerState } from './server-frame.js';
import { resolveTimeouts, type TimeoutOptions, timeoutShape } from './timeouts.js';
import { passUpgrades } from './upgrades.js';

export interface ServerOptions extends RouterOptions, TimeoutOptions {
  /** Maximum number of connections; further ones get 503 with `Retry-After` and are closed. Default 10,000. */
  readonly connections?: number;
  /**
   * Emulates the reference's accounts, sessions and virtual users; created with `createSandbox` of `@blockwork/sandbox`. For
   * development and tests only; none by default.
   */
  readonly sandbox?: InterfaceLayer;
}

export const defaultConnections = 10_000;

const connections = optionTypes.wholeNumber(1);
const sandbox = optionTypes.satisfying(
  (value) => typeof (value as Partial<InterfaceLayer> | null | undefined)?.attach === 'function',
  'must be what createSandbox returns',
);

export interface PolicyServer {
  /**
   * Resolves when connections are accepted; `url` has no trailing slash and no prefix.
   *
   * @example const { url } = await server.listen({ host: '0.0.0.0', port: 3000 });
   */
  listen(options?: ListenOptions): Promise<{ readonly url: string }>;
  /**
   * Fails `/readyz`, after `drainTime` accepts no new connections, completes requests in progress (those waiting for another
   * instance are answered immediately), closes idle connections, and resolves when all are closed.
   * Idempotent. Leaves the engine open.
   *
   * @example
   * await server.close();
   * await engine.close();
   */
  close(): Promise<void>;
}

/**
 * A server for an engine: the interface, and `/healthz`. Throws `OPTION_INVALID`.
 *
 * @example
 * const server = createPolicyServer(engine, { auth: { secret } });
 * const { url } = await server.listen({ port: 3000 });
 */
export function createPolicyServer(engine: PolicyEngine, options: ServerOptions): PolicyServer {
  demandObject(engine, 'createPolicyServer', 'engine');
  const shape = { ...interfaceOptionShape, ...timeoutShape, connections, sandbox };
  checkOptions(options, shape, '', 'createPolicyServer');
  const { closeTimeout, drainTime, ...timeouts } = resolveTimeouts(options);
  const resolved = resolveOptions(options, (tokens) => new TokenAuthenticator(tokens));
  const policies = new PolicyInterface(engine, resolved, options.sandbox ?? null);
  const { layer } = policies;
  let closing: Promise<void> | null = null;
  const state: ServerState = { isDraining: false, isClosing: false };

  // Loaded with the first server: a program that mounts the router brings its own.
  const Application = createRequire(import.meta.url)('koa') as typeof Koa;
  const app = new Application();
  app.on('error', (error: Error) => logConnectionError(error, resolved.logger));
  app.use(serverFrame(policies, state));
  app.use(routesOf(policies));

  const handle = app.callback();
  const refuse = (refusal: TransportError): HttpAnswer => policies.refuse(unparsed, refusal);
  const server = createServer(parserOptions(timeouts));
  const limit = options.connections ?? defaultConnections;
  server.on(
    'request',
    limitConnections(server, limit, (req, res) => void handle(req, res), refuse),
  );
  passUpgrades(server, layer, resolved.logger);
  answerParserRefusals(server, refuse);
  const shutdown = shutdownOf(server, closeTimeout);
  const close = async (): Promise<void> => {
    state.isDraining = true;
    if (server.listening && drainTime > 0) await new Promise((resolve) => setTimeout(resolve, drainTime));
    state.isClosing = true;
    policies.stopWaiting();
    layer?.close();
    await shutdown();
  };
  return {
    listen: async (where = {}) => {
      checkOptions(where, listenShape, '', 'listen');
      const { host = '127.0.0.1', port = 3000 } = where;
      layer?.assertHost(host);
      if (state.isDraining) throw new TransportError('SERVER_CLOSING');
      await listening(server, host, port);
      return { url: urlOf(server.address() as AddressInfo) };
    },
    close: () => (closing ??= close()),
  };
}

/** Node checks for slow requests periodically; by default, they could live half a minute longer. */
const parserOptions = <Timeouts extends { readonly headersTimeout: number }>(timeouts: Timeouts) => ({
  ...timeouts,
  connectionsCheckingInterval: Math.max(20, Math.min(1000, timeouts.headersTimeout / 4)),
  // The frame answers it, as every other refusal.
  requireHostHeader: false,
});

/** Log fields for a request that could not be parsed. */
const unparsed: HttpRequest<Context> = {
  source: undefined as never,
  method: '',
  path: '',
  query: '',
  parsedBody: undefined,
  header: () => undefined,
  readBody: () => Promise.resolve(),
};

/** Koa sets `headerSent` on errors that came too late to be answered, for example because the client disconnected. */
function logConnectionError(error: Error & { headerSent?: boolean }, logger: Logger): void {
  if (error.headerSent === true) logger.debug('A connection ended early.', { error });
  else logger.error('A request failed outside its route.', { error });
}

/** Connections beyond the limit that may still receive a refusal; Node drops further ones. */
const SPARE = 100;

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** `refuse` turns a refusal into a response. Returns a listener that wraps `listener`. */
function limitConnections(
  server: Server,
  limit: number,
  listener: Listener,
  refuse: (refusal: TransportError) => HttpAnswer,
): Listener {
  const admitted = new Set<Socket>();
  const connections = new Holdings();
  server.maxConnections = limit + SPARE;
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    if (!connections.take(address, 1, limit)) return;
    admitted.add(socket);
    socket.once('close', () => {
      admitted.delete(socket);
      connections.giveBack(address, 1);
    });
  });
  return (request, response) => {
    if (admitted.has(request.socket)) {
      listener(request, response);
      return;
    }
    const headers = { 'Retry-After': '1', Connection: 'close' };
    const answer = refuse(new TransportError('TOO_MANY_CONNECTIONS', { facts: { limit }, headers }));
    response.writeHead(answer.status, answer.headers).end(typeof answer.body === 'string' ? answer.body : '');
  };
}

/** `answer` turns a refusal into a response. */
function answerParserRefusals(server: Server, answer: (refusal: TransportError) => HttpAnswer): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // No response is possible on a reset connection, or after another response has started.
    if (error.code === 'ECONNRESET' || !socket.writable || hasBegun(socket)) socket.destroy(error);
    else socket.end(textOf(answer(refusalFor(error))));
  });
  server.on('checkExpectation', (_: IncomingMessage, response: ServerResponse) => {
    const { status, headers, body } = answer(new TransportError('EXPECTATION_UNKNOWN'));
    const text = typeof body === 'string' ? body : '';
    const length = { 'Content-Length': String(Buffer.byteLength(text)) };
    response.writeHead(status, { ...headers, ...length, Connection: 'close' }).end(text);
  });
}

/** Node keeps the response in progress on the socket. */
const hasBegun = (socket: Duplex): boolean =>
  (socket as { _httpMessage?: ServerResponse | null })._httpMessage?.headersSent === true;

function refusalFor(error: NodeJS.ErrnoException): TransportError {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new TransportError('REQUEST_TIMEOUT', { cause: error });
    case 'HPE_HEADER_OVERFLOW':
      return new TransportError('HEADERS_TOO_LARGE', { facts: { limit: maxHeaderSize }, cause: error });
    default: {
      const reason = error.message.replace(/^Parse Error: /, '');
      return new TransportError('REQUEST_MALFORMED', { facts: { reason }, cause: error });
    }
  }
}

/** The raw response, which closes the connection. */
function textOf({ status, headers, body }: HttpAnswer): string {
  const text = typeof body === 'string' ? body : '';
  const lines = Object.entries({ ...headers, 'Content-Length': String(Buffer.byteLength(text)), Connection: 'close' });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\n${text}`;
}

const IDLE_CHECK_MS = 20;

/** Returns the function that closes the server. After `closeTimeout` milliseconds it cuts the remaining connections. */
function shutdownOf(server: Server, closeTimeout: number): () => Promise<void> {
  const sockets = trackSockets(server);
  return () => {
    if (!server.listening) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const cut = setTimeout(() => destroyAll(sockets.open), closeTimeout);
      // A stream has told its client that the connection stays open, which then is idle only once the stream has ended.
      const closeIdle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
      server.close((error) => {
        clearTimeout(cut);
        clearInterval(closeIdle);
        if (error === undefined) resolve();
        else reject(error);
      });
      destroyAll(sockets.unused);
    });
  };
}

interface Sockets {
  /** All, including those that have left HTTP, which Node waits for but does not cut. */
  readonly open: ReadonlySet<Socket>;
  /** Without a first request: Node does not count them as idle, and would wait for them. */
  readonly unused: ReadonlySet<Socket>;
}

function trackSockets(server: Server): Sockets {
  const [open, unused] = [new Set<Socket>(), new Set<Socket>()];
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    unused.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      unused.delete(socket);
    });
  });
  server.on('request', ({ socket }: IncomingMessage) => unused.delete(socket));
  return { open, unused };
}

function destroyAll(sockets: Iterable<Socket>): void {
  for (const socket of sockets) socket.destroy();
}
