/** Metrics on a separate port, which a firewall or a host name can protect. */
import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { consoleLogger } from '@blockwork/core';
import type { Logger, PolicyEngine } from '@blockwork/core';
import { checkOptions, demandObject, optionTypes } from '@blockwork/core/adapter';
import type { OptionShape } from '@blockwork/core/adapter';
import { EngineMetrics, PROMETHEUS_TYPE } from '@blockwork/http';
import { listening, listenShape, urlOf } from './listening.js';
import type { ListenOptions } from './listening.js';

export interface MetricsServerOptions extends ListenOptions {
  /** By default warnings and errors go to standard error. */
  readonly logger?: Logger;
}

export interface MetricsServer {
  readonly url: string;
  /**
   * Also stops measuring. Idempotent.
   *
   * @example await Promise.all([server.close(), metrics.close()]);
   */
  close(): Promise<void>;
}

const shape: OptionShape<MetricsServerOptions> = { ...listenShape, logger: optionTypes.logger };
const DEFAULT_PORT = 9464;

/**
 * Serves `GET /metrics` in the Prometheus text format without authentication, by default on port 9464 of 127.0.0.1. Measures from
 * now on. Resolves when listening. Rejects with `OPTION_INVALID`, or with the error of the port.
 *
 * @example
 * const metrics = await serveMetrics(engine, { port: 9464 });
 */
export async function serveMetrics(engine: PolicyEngine, options: MetricsServerOptions = {}): Promise<MetricsServer> {
  demandObject(engine, 'serveMetrics', 'engine');
  checkOptions(options, shape, '', 'serveMetrics');
  const { host = '127.0.0.1', port = DEFAULT_PORT, logger = consoleLogger({ level: 'warn' }) } = options;
  const metrics = new EngineMetrics(engine);
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0];
    if (path !== '/metrics') {
      end(response, 404, 'Not found: metrics are at /metrics.\n');
      return;
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      end(response, 405, 'Use GET.\n');
      return;
    }
    metrics.text().then(
      (text) => end(response, 200, text, PROMETHEUS_TYPE),
      (error: unknown) => {
        logger.warn('The metrics could not be read.', { error });
        end(response, 503, 'The metrics cannot be read now; the log says why.\n');
      },
    );
  });
  try {
    await listening(server, host, port);
  } catch (error) {
    metrics.stop();
    throw error;
  }
  let closing: Promise<void> | null = null;
  return {
    url: urlOf(server.address() as AddressInfo),
    close: () => {
      metrics.stop();
      return (closing ??= closed(server));
    },
  };
}

function end(response: ServerResponse, status: number, text: string, type = 'text/plain; charset=utf-8'): void {
  response.writeHead(status, {
    'Content-Type': type,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(text);
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
