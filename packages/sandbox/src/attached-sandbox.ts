/** The sandbox of one server. */
import { BodyBudget, RouteTable } from '@blockwork/http';
import type { AttachedLayer, HttpAnswer, HttpRequest, LayerHost } from '@blockwork/http';
import { invalidOption } from '@blockwork/core/adapter';
import { isIPv4 } from 'node:net';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AccountBook } from './accounts/account-book.js';
import { SessionTokens } from './accounts/session-tokens.js';
import { Passing } from './adapters/passing.js';
import { Tasks } from './memory/tasks.js';
import { Trials } from './memory/trials.js';
import type { ResolvedSandboxOptions } from './options.js';
import { sandboxEndpoint, type SandboxEndpoint } from './requests/endpoint.js';
import { People } from './requests/person.js';
import { sandboxRoutes } from './routes/index.js';

export class AttachedSandbox implements AttachedLayer {
  readonly #host: LayerHost;
  readonly #options: ResolvedSandboxOptions;
  readonly #table = new RouteTable<SandboxEndpoint>();
  readonly #passing: Passing;

  constructor(host: LayerHost, options: ResolvedSandboxOptions, accounts: AccountBook) {
    this.#host = host;
    this.#options = options;
    const { engine, logger, bodyLimit, policyFileLimit } = host;
    const { limits, clock, ids, messages, emptyForClosedBlocks } = options;
    const tokens = new SessionTokens(options, accounts);
    const people = new People(host, accounts, tokens);
    const trials = new Trials({ ids, accounts, limits });
    const tasks = new Tasks({ clock, ids, logger, limits });
    const bodies = new BodyBudget(Math.max(BODIES, 2 * bodyLimit, 2 * policyFileLimit));
    const announce = (): void => undefined;
    const deps = { ...{ engine, accounts, tokens, tasks, trials, messages, announce, clock, ids, logger } };
    for (const route of sandboxRoutes(deps)) {
      this.#table.add(route.method, host.prefix + route.path, sandboxEndpoint(route, { host, people, bodies }));
    }
    const answered = (): void => undefined;
    this.#passing = new Passing({ host, engine, people, tokens, trials, bodies, emptyForClosedBlocks, answered });
    logger.warn('The sandbox is on: anybody who reaches this server may register as anything. Not for production.', {});
  }

  answer<Source>(
    request: HttpRequest<Source>,
    next: (request: HttpRequest<Source>) => Promise<HttpAnswer> | undefined,
  ): Promise<HttpAnswer> | undefined {
    const match = this.#table.find(request.method, request.path);
    if (match !== undefined) return match.endpoint(request, match.captures);
    if (!this.#host.hasRoute(request.method, request.path)) return undefined;
    return this.#passing.answer(request, next);
  }

  methodsAt(path: string): readonly string[] {
    return this.#table.methodsAt(path);
  }

  assertHost(host: string): void {
    if (this.#options.allowAnyHost || isLoopback(host)) return;
    throw invalidOption(
      'sandbox',
      `the server would listen at ${host}, where others reach it; set allowAnyHost of the sandbox if they may become anybody`,
    );
  }

  upgrade(_request: IncomingMessage, socket: Duplex): void {
    socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n');
  }

  close(): void {
    // Nothing is open.
  }
}

/** Bytes of all bodies that the sandbox reads at a time, at least. */
const BODIES = 32 * 1024 * 1024;

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
