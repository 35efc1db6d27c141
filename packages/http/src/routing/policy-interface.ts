/** The HTTP interface of an engine, for any transport. */
import { contract, openApiDocument, withSlashes } from '@blockwork/contract';
import { setMaxListeners } from 'node:events';
import type { PolicyEngine } from '@blockwork/core';
import { answerOf } from '../answer/reply.js';
import { preflight, withCors } from '../answer/cors.js';
import { refusalOf } from '../answer/refusal.js';
import { TransportError } from '../answer/transport-error.js';
import { type HttpAnswer, namingPolicy } from '../answer/http-answer.js';
import { handlers } from '../handlers/index.js';
import type { EngineRoute } from '../handlers/index.js';
import { RequestLimits } from '../limits/request-limits.js';
import { BodyBudget } from '../request/body-budget.js';
import { type HttpRequest, requestIdOf } from '../request/http-request.js';
import { admitted, endpoint } from './endpoint.js';
import type { Endpoint, UntypedHandler } from './endpoint.js';
import type { AttachedLayer, InterfaceLayer, LayerHost } from './interface-layer.js';
import type { ResolvedOptions } from './interface-options.js';
import { ServicePaths } from '../service/service-paths.js';
import { RouteTable } from './route-table.js';

/** No method rejects: failures become responses, and are logged if the client must not see them. */
export class PolicyInterface<Source> {
  readonly #options: ResolvedOptions<Source>;
  readonly #table = new RouteTable<Endpoint<Source>>();
  readonly #service: ServicePaths;
  readonly #stopping = new AbortController();
  readonly #layer: AttachedLayer | null;

  constructor(engine: PolicyEngine, options: ResolvedOptions<Source>, layer: InterfaceLayer | null = null) {
    this.#options = options;
    // Every open stream adds a listener.
    setMaxListeners(0, this.#stopping.signal);
    const bodies = new BodyBudget(options.bodiesLimit);
    const limits = new RequestLimits(options.limits, options.clock);
    this.#service = new ServicePaths(engine, options, async (request) => {
      // The transport passes only its own requests.
      const caller = await admitted(engine, options, request as HttpRequest<Source>);
      limits.admit(caller.did);
      return caller;
    });
    const deps = { engine, options, bodies, limits, stopping: this.#stopping.signal };
    for (const name of Object.keys(handlers) as EngineRoute[]) {
      const route = contract[name];
      const answer = endpoint(name, route, handlers[name] as UntypedHandler, deps);
      this.#table.add(route.method, options.prefix + route.path, answer, withSlashes(route.params));
    }
    const { method, path } = contract.getOpenApi;
    this.#table.add(method, options.prefix + path, openApiEndpoint(options));
    this.#layer = layer?.attach(this.#host(engine)) ?? null;
  }

  /** The layers around the interface. */
  get layer(): AttachedLayer | null {
    return this.#layer;
  }

  /** `undefined` if no route below the prefix has this path and method. */
  answer(request: HttpRequest<Source>): Promise<HttpAnswer> | undefined {
    const answer =
      this.#layer === null
        ? this.#routed(request)
        : this.#layer.answer<Source>(request, (passed) => this.#routed(passed));
    const { cors } = this.#options;
    return cors === null ? answer : answer?.then((sent) => withCors(sent, request.header('origin'), cors));
  }

  /** For another method on the path of a route: 204 for `OPTIONS`, otherwise 405. `undefined` for any other path. */
  answerOtherMethod(request: HttpRequest<Source>): HttpAnswer | undefined {
    const methods = [...this.#table.methodsAt(request.path), ...(this.#layer?.methodsAt(request.path) ?? [])];
    const allow = [...new Set(methods)].sort().join(', ');
    if (allow === '') return undefined;
    if (request.method === 'OPTIONS') {
      const { cors } = this.#options;
      const origin = request.header('origin');
      const answer = { status: 204, headers: { Allow: allow }, body: null };
      return cors === null || origin === undefined ? answer : preflight(answer, origin, cors);
    }
    const facts = { method: request.method, allow };
    return this.refuse(request, new TransportError('METHOD_NOT_ALLOWED', { facts, headers: { Allow: allow } }));
  }

  /**
   * Paths of the service, outside the prefix. `undefined` for any other path. `isClosing`: whether the server is shutting
   * down.
   */
  answerService(request: HttpRequest<Source>, isClosing: boolean): Promise<HttpAnswer> | undefined {
    return this.#service.answer(request, isClosing);
  }

  /** The response to a request that matches no route. Preflight requests of allowed origins succeed, so that pages see the 404. */
  answerUnknown(request: HttpRequest<Source>): HttpAnswer {
    const { cors } = this.#options;
    const origin = request.header('origin');
    const method = request.header('access-control-request-method') ?? '';
    if (request.method === 'OPTIONS' && cors !== null && origin !== undefined && /^[A-Z]+$/.test(method)) {
      const answer = preflight({ status: 204, headers: { Allow: method }, body: null }, origin, cors);
      if (answer.headers['Access-Control-Allow-Origin'] !== undefined) return answer;
    }
    return this.refuse(request, new TransportError('ROUTE_UNKNOWN'));
  }

  refuse(request: HttpRequest<Source>, error: unknown): HttpAnswer {
    const { accessLog, cors, ids } = this.#options;
    const requestId = requestIdOf(request, ids);
    const answer = refusalOf(request, error, requestId, this.#options);
    const { method, path } = request;
    accessLog?.write({ requestId, method, route: null, path, caller: null, since: accessLog.now() }, answer);
    return cors === null ? answer : withCors(answer, request.header('origin'), cors);
  }

  #routed(request: HttpRequest<Source>): Promise<HttpAnswer> | undefined {
    const match = this.#table.find(request.method, request.path);
    return match?.endpoint(request, match.captures).then((answer) => namingPolicy(answer, match.captures['policyId']));
  }

  #host(engine: PolicyEngine): LayerHost {
    const { prefix, bodyLimit, policyFileLimit, logger, accessLog, ids } = this.#options;
    return {
      ...{ engine, prefix, bodyLimit, policyFileLimit, logger, accessLog },
      // A layer passes back only requests of this transport.
      authenticate: (request) => admitted(engine, this.#options, request as HttpRequest<Source>),
      refuse: (request, error) => refusalOf(request, error, requestIdOf(request, ids), this.#options),
      requestIdOf: (request) => requestIdOf(request, ids),
      hasRoute: (method, path) => this.#table.find(method, path) !== undefined,
    };
  }

  /** Answers all waiting requests immediately. Later ones do not wait. */
  stopWaiting(): void {
    this.#stopping.abort();
  }
}

/** The document is constant, so it is serialized once. */
function openApiEndpoint({ prefix, ids }: Pick<ResolvedOptions<never>, 'prefix' | 'ids'>): Endpoint<unknown> {
  let text: string | undefined;
  return (request) => {
    text ??= JSON.stringify(openApiDocument({ prefix }));
    return Promise.resolve(answerOf({ status: 200, text }, requestIdOf(request, ids)));
  };
}
