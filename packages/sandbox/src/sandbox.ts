/** The sandbox: a layer in front of the interface. For development and tests only. */
import type { Accounts } from '@blockwork/core';
import { invalidOption } from '@blockwork/core/adapter';
import {
  type AttachedLayer,
  BodyBudget,
  type HttpAnswer,
  type HttpRequest,
  type InterfaceLayer,
  isFromThisMachine,
  type LayerHost,
  RouteTable,
  TransportError,
} from '@blockwork/http';
import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';
import type { Duplex } from 'node:stream';
import { AccountBook } from './accounts/account-book.js';
import { SessionTokens } from './accounts/session-tokens.js';
import { type Passed, Passing } from './adapters/passing.js';
import { policyPath } from './adapters/policy-path.js';
import { LivePages } from './live/live-pages.js';
import { openBooks, type Books } from './memory/books.js';
import { KeptState } from './memory/kept-state.js';
import { folderPlace } from './memory/state-places.js';
import { Tasks } from './memory/tasks.js';
import { Trials } from './memory/trials.js';
import { type ResolvedSandboxOptions, resolveSandboxOptions, type SandboxOptions } from './options.js';
import { sandboxEndpoint, type SandboxEndpoint } from './requests/endpoint.js';
import { People } from './requests/person.js';
import { errorOf, refused } from './requests/refusal.js';
import { sandboxRoutes } from './routes/index.js';
import type { RouteDeps } from './routes/route-deps.js';

export interface Sandbox extends InterfaceLayer {
  /**
   * For the engine option `accounts`: ledger accounts named by profiles, otherwise derived from the DID.
   */
  readonly accounts: Accounts;
}

/**
 * Guardian's services around policies: accounts, sessions, tasks, virtual users of dry runs. Not for production: anyone who
 * can reach it may register with any role. Throws `OPTION_INVALID`.
 *
 * @example
 * const sandbox = createSandbox({ secret });
 * const engine = createEngine({ accounts: sandbox.accounts });
 * const server = createPolicyServer(engine, { auth: { secret }, sandbox });
 */
export function createSandbox(options: SandboxOptions): Sandbox {
  const resolved = resolveSandboxOptions(options);
  const { clock, ids, limits } = resolved;
  const { folder, state: place = folder === undefined ? undefined : folderPlace(folder) } = resolved;
  const state = new KeptState(place);
  const accounts = new AccountBook({ clock, ids, limit: limits.accounts, state }, resolved.accounts);
  const books = openBooks(limits, state);
  let isAttached = false;
  return {
    accounts,
    attach: (host: LayerHost): AttachedLayer => {
      if (isAttached) throw invalidOption('sandbox', 'it belongs to another server already; create one for each');
      isAttached = true;
      return new AttachedSandbox(host, resolved, { accounts, books, state });
    },
  };
}

interface Kept {
  readonly books: Books;
  readonly accounts: AccountBook;
  readonly state: KeptState;
}

class AttachedSandbox implements AttachedLayer {
  readonly #host: LayerHost;
  readonly #options: ResolvedSandboxOptions;
  readonly #table = new RouteTable<SandboxEndpoint>();
  readonly #passing: Passing;
  readonly #pages: LivePages;

  constructor(host: LayerHost, options: ResolvedSandboxOptions, { accounts, books, state }: Kept) {
    this.#host = host;
    this.#options = options;
    const { engine, logger, bodyLimit, policyFileLimit } = host;
    const { limits, clock, timers, ids, messages, emptyForClosedBlocks, allowAnyHost } = options;
    const tokens = new SessionTokens(options, accounts);
    const people = new People(host, accounts, tokens);
    const trials = new Trials({ ids, accounts, limits, state });
    const tasks = new Tasks({ clock, ids, logger, limits });
    const bodies = new BodyBudget(Math.max(BODIES, 2 * bodyLimit, 2 * policyFileLimit));
    const pages = new LivePages({ engine, tokens, trials, clock, timers, logger, limits, allowAnyHost });
    this.#pages = pages;
    const announce: RouteDeps['announce'] = (person, task) => pages.announce(person, task);
    const stored = { accounts, tokens, tasks, trials, books, messages };
    const deps: RouteDeps = { engine, ...stored, announce, clock, ids, logger };
    for (const route of sandboxRoutes(deps)) {
      this.#table.add(route.method, host.prefix + route.path, sandboxEndpoint(route, { host, people, bodies }));
    }
    const answered = (passed: Passed, answer: HttpAnswer): void => this.#tell(passed, answer);
    this.#passing = new Passing({ host, engine, people, tokens, trials, bodies, emptyForClosedBlocks, answered });
    logger.warn(
      'The sandbox is enabled: anyone who can reach this server may register with any role. Not for production.',
      {},
    );
  }

  answer<Source>(
    request: HttpRequest<Source>,
    next: (request: HttpRequest<Source>) => Promise<HttpAnswer> | undefined,
  ): Promise<HttpAnswer> | undefined {
    const match = this.#table.find(request.method, request.path);
    if (match === undefined && !this.#host.hasRoute(request.method, request.path)) return undefined;
    if (!this.#options.allowAnyHost && !isFromThisMachine((name) => request.header(name)))
      return Promise.resolve(refused(request, new TransportError('ORIGIN_REFUSED'), this.#host));
    if (match !== undefined) return match.endpoint(request, match.captures);
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

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#pages.upgrade(request, socket, head);
  }

  close(): void {
    this.#pages.close();
  }

  /** Notifies the sender's open pages of what was sent, or that it was refused. */
  #tell({ request, person }: Passed, answer: HttpAnswer): void {
    const path = policyPath(request.path.slice(this.#host.prefix.length));
    if (path === undefined) return;
    if (answer.status < 400) this.#pages.watch(person, path.policyId);
    if (request.method !== 'POST') return;
    const sent = { person, policyId: path.policyId, block: path.block };
    const error = errorOf(answer);
    if (error === undefined) this.#pages.accepted(sent);
    else this.#pages.refused(sent, String(error['message']));
  }
}

/** Minimum total size, in bytes, of bodies that the sandbox reads concurrently. */
const BODIES = 32 * 1024 * 1024;

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
