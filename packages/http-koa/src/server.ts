/** The interface as a server of its own. */
import type { PolicyEngine } from '@blockwork/core';
import Koa from 'koa';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TransportError } from './answer/transport-error.js';
import { resolveOptions } from './options.js';
import type { RouterOptions } from './options.js';
import { routesOf } from './router.js';
import { serverFrame } from './server-frame.js';
import { resolveTimeouts } from './timeouts.js';
import type { TimeoutOptions } from './timeouts.js';
import { trackUnused } from './unused-connections.js';

export interface ServerOptions extends RouterOptions, TimeoutOptions {}

export interface ListenOptions {
  /** 127.0.0.1 when absent. */
  readonly host?: string;
  /** 3000 when absent; 0 for any free one. */
  readonly port?: number;
}

export interface PolicyServer {
  /** Resolves when connections are accepted; `url` has no slash at its end, and no prefix. */
  listen(options?: ListenOptions): Promise<{ readonly url: string }>;
  /**
   * Accepts nothing more, answers what is under way, closes idle connections, and resolves when all is over. May
   * be called again. The engine is left open: whoever made it closes it.
   */
  close(): Promise<void>;
}

/**
 * A server for an engine. It answers `/healthz` besides the interface.
 *
 * @example
 * const server = createPolicyServer(engine, { auth: { secret } });
 * const { url } = await server.listen({ port: 3000 });
 */
export function createPolicyServer(engine: PolicyEngine, options: ServerOptions): PolicyServer {
  const timeouts = resolveTimeouts(options);
  const resolved = resolveOptions(options);
  let closing: Promise<void> | null = null;
  const isClosing = (): boolean => closing !== null;

  const app = new Koa();
  app.on('error', (error: Error & { headerSent?: boolean }) => {
    // Koa marks what came too late to be answered: clients that went away.
    if (error.headerSent === true) resolved.logger.debug('A connection ended early.', { error });
    else resolved.logger.error('A request failed outside its route.', { error });
  });
  app.use(serverFrame(engine, isClosing, resolved));
  app.use(routesOf(engine, resolved));

  const { requestTimeout, headersTimeout, keepAliveTimeout } = timeouts;
  const handle = app.callback();
  const server = createServer(
    { requestTimeout, headersTimeout, keepAliveTimeout },
    (req, res) => void handle(req, res),
  );
  const closeUnused = trackUnused(server);
  return {
    listen: async ({ host = '127.0.0.1', port = 3000 } = {}) => {
      if (isClosing()) throw new TransportError('SERVER_CLOSING');
      await listening(server, host, port);
      return { url: urlOf(server.address() as AddressInfo) };
    },
    close: () => (closing ??= closed(server, closeUnused, timeouts.closeTimeout)),
  };
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Addresses that mean "every interface" are none that a client can use. */
function urlOf({ address, family, port }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return `http://localhost:${port}`;
  return family === 'IPv6' ? `http://[${address}]:${port}` : `http://${address}:${port}`;
}

/** `patience`: milliseconds until connections that do not end are cut. */
function closed(server: Server, closeUnused: () => void, patience: number): Promise<void> {
  if (!server.listening) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const cut = setTimeout(() => server.closeAllConnections(), patience);
    server.close((error) => {
      clearTimeout(cut);
      if (error === undefined) resolve();
      else reject(error);
    });
    closeUnused();
  });
}
