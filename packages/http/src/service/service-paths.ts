/** What a server answers besides the interface: health, metrics, documentation and the console. */
import { contract } from '@blockwork/contract';
import { BlockworkError, type Caller, type Clock, type Ids, type PolicyEngine } from '@blockwork/core';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { HttpAnswer } from '../answer/http-answer.js';
import { refusalOf, type RefusalOptions } from '../answer/refusal.js';
import { answerOf } from '../answer/reply.js';
import { TransportError } from '../answer/transport-error.js';
import { AuthenticationError } from '../auth/authentication-error.js';
import { bearerToken } from '../auth/bearer.js';
import { EngineMetrics } from '../metrics/engine-metrics.js';
import { PROMETHEUS_TYPE } from '../metrics/prometheus-text.js';
import { type HttpRequest, requestIdOf } from '../request/http-request.js';
import { ConsolePage } from './console-page.js';
import type { ConsoleProvider } from './console-provider.js';
import { ConsoleSignIn, type RedeemCode } from './console-sign-in.js';
import { DocsPage, type DocsOptions } from './docs-page.js';

export interface ServiceOptions extends RefusalOptions {
  readonly prefix: string;
  readonly ids: Ids;
  readonly docs: DocsOptions | null;
  readonly console: {
    readonly assets: string;
    readonly signIn?: RedeemCode;
    readonly provider?: ConsoleProvider;
  } | null;
  readonly metrics: { readonly token: string } | null;
  readonly clock: Clock;
}

export class ServicePaths {
  readonly #engine: PolicyEngine;
  readonly #options: ServiceOptions;
  readonly #docs: DocsPage | null;
  readonly #console: ConsolePage | null;
  readonly #signIn: ConsoleSignIn | null;
  readonly #metrics: MetricsPage | null;

  /** `identify` admits the caller of a request, or rejects with what is to be answered. */
  constructor(
    engine: PolicyEngine,
    options: ServiceOptions,
    private readonly identify: (request: HttpRequest) => Promise<Caller>,
  ) {
    this.#engine = engine;
    this.#options = options;
    const { docs, prefix, console, clock, metrics } = options;
    this.#metrics = metrics === null ? null : new MetricsPage(engine, metrics.token);
    this.#console = console === null ? null : new ConsolePage(console.assets, prefix, console.provider);
    this.#signIn = console?.signIn === undefined ? null : new ConsoleSignIn(console.signIn, clock);
    this.#docs = docs === null ? null : new DocsPage(docs, prefix + contract.getOpenApi.path);
  }

  /** `undefined` for paths that are none of these. */
  answer(request: HttpRequest, isClosing: boolean): Promise<HttpAnswer> | undefined {
    const { path } = request;
    if (path === contract.health.path) return this.#reading(request, () => this.#health(request));
    if (path === contract.ready.path) return this.#reading(request, () => this.#ready(request, isClosing));
    const signIn = this.#signIn;
    if (signIn !== null && path === '/console/sign-in') return this.#tokens(request, signIn);
    const metrics = this.#metrics;
    if (metrics !== null && path === '/metrics') return this.#reading(request, () => this.#measured(request, metrics));
    const page = this.#console;
    // Relative, so that it holds behind a proxy that adds a path.
    if (page !== null && path === '/')
      return this.#reading(request, () =>
        Promise.resolve({ status: 302, headers: { Location: 'console/', 'Cache-Control': 'no-cache' }, body: null }),
      );
    if (page !== null && path === '/console/caller') return this.#reading(request, () => this.#caller(request));
    if (page !== null && ConsolePage.owns(path)) return this.#reading(request, () => this.#page(request, page));
    if (this.#docs === null || (path !== '/docs' && !path.startsWith('/docs/'))) return undefined;
    return this.#reading(request, () => this.#page(request, this.#docs));
  }

  /** Stays 200 while the server closes in order: an orchestrator would end the process at once otherwise. */
  async #health(request: HttpRequest): Promise<HttpAnswer> {
    if (!this.#engine.isOpen) return this.#refuse(request, new BlockworkError('ENGINE_CLOSED'));
    return answerOf({ status: 200, body: { status: 'ok' } }, requestIdOf(request, this.#options.ids));
  }

  /** 503 as soon as the server is about to close: load balancers then send nothing more. */
  async #ready(request: HttpRequest, isClosing: boolean): Promise<HttpAnswer> {
    if (isClosing) return this.#refuse(request, new TransportError('SERVER_CLOSING'));
    try {
      const { isReady, reason, link } = await this.#engine.program.getReadiness();
      if (!isReady) throw new TransportError('NOT_READY', { cause: reason });
      const body = { status: 'ready', link: link.isConnected ? 'connected' : 'disconnected' };
      return answerOf({ status: 200, body }, requestIdOf(request, this.#options.ids));
    } catch (error) {
      return this.#refuse(request, error);
    }
  }

  async #measured(request: HttpRequest, page: MetricsPage): Promise<HttpAnswer> {
    try {
      return await page.answer(request.header('authorization'));
    } catch (error) {
      return this.#refuse(request, error);
    }
  }

  async #tokens(request: HttpRequest, signIn: ConsoleSignIn): Promise<HttpAnswer> {
    try {
      if (request.method !== 'POST') throw notAllowed(request, 'POST');
      const tokens = await signIn.tokens(request);
      return answerOf({ status: 200, body: { tokens } }, requestIdOf(request, this.#options.ids));
    } catch (error) {
      return this.#refuse(request, error);
    }
  }

  /** Who the token of the request names, by the rules of this server: the page cannot tell from the token of a provider. */
  async #caller(request: HttpRequest): Promise<HttpAnswer> {
    try {
      const { did, username, role } = await this.identify(request);
      const sent = answerOf({ status: 200, body: { did, username, role } }, requestIdOf(request, this.#options.ids));
      return { ...sent, headers: { ...sent.headers, 'Cache-Control': 'no-store' } };
    } catch (error) {
      return this.#refuse(request, error);
    }
  }

  async #page(request: HttpRequest, page: DocsPage | ConsolePage | null): Promise<HttpAnswer> {
    return (await page?.answer(request.path)) ?? this.#refuse(request, new TransportError('ROUTE_UNKNOWN'));
  }

  async #reading(request: HttpRequest, answer: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
    const { method } = request;
    if (method === 'GET' || method === 'HEAD') return answer();
    if (method === 'OPTIONS') return { status: 204, headers: { Allow: READING }, body: null };
    return this.#refuse(request, notAllowed(request, READING));
  }

  #refuse(request: HttpRequest, error: unknown): HttpAnswer {
    return refusalOf(request, error, requestIdOf(request, this.#options.ids), this.#options);
  }
}

const READING = 'GET, HEAD';

const notAllowed = ({ method }: HttpRequest, allow: string): TransportError =>
  new TransportError('METHOD_NOT_ALLOWED', { facts: { method, allow }, headers: { Allow: allow } });

class MetricsPage {
  readonly #metrics: EngineMetrics;
  readonly #token: Buffer;

  constructor(engine: PolicyEngine, token: string) {
    this.#metrics = new EngineMetrics(engine);
    this.#token = digestOf(token);
  }

  /** `authorization`: the header. Rejects with `AuthenticationError`, and as `EngineMetrics.text`. */
  async answer(authorization = ''): Promise<HttpAnswer> {
    const token = bearerToken(authorization);
    if (!timingSafeEqual(digestOf(token), this.#token)) {
      throw new AuthenticationError('malformed', 'The token is not the one for the metrics.');
    }
    return {
      status: 200,
      headers: { 'Content-Type': PROMETHEUS_TYPE, 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' },
      body: await this.#metrics.text(),
    };
  }
}

/** Of one length, as the comparison needs. */
const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
