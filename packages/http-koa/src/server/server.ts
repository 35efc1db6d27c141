/** The HTTP interface as a server. */
import type { Logger, PolicyEngine } from '@blockwork/core';
import { checkOptions, demandObject, optionTypes } from '@blockwork/core/adapter';
import { interfaceOptionShape, PolicyInterface, resolveOptions, TransportError } from '@blockwork/http';
import type { HttpAnswer, HttpRequest, InterfaceLayer } from '@blockwork/http';
import type Koa from 'koa';
import type { Context } from 'koa';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { TokenAuthenticator } from '../auth/token-authenticator.js';
import { routesOf } from '../router/router.js';
import type { RouterOptions } from '../router/router.js';
import { limitConnections } from './connection-limit.js';
import { listening, listenShape, urlOf } from './listening.js';
import type { ListenOptions } from './listening.js';
import { answerParserRefusals } from './parser-refusals.js';
import { serverFrame } from './server-frame.js';
import type { ServerState } from './server-frame.js';
import { shutdownOf } from './shutdown.js';
import { resolveTimeouts, timeoutShape } from './timeouts.js';
import type { TimeoutOptions } from './timeouts.js';
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
  /** Resolves when connections are accepted; `url` has no trailing slash and no prefix. */
  listen(options?: ListenOptions): Promise<{ readonly url: string }>;
  /**
   * Fails `/readyz`, after `drainTime` accepts no new connections, completes requests in progress (those waiting for another
   * instance are answered immediately), closes idle connections, and resolves when all are closed.
   * Idempotent. Leaves the engine open.
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
