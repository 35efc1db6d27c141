/** The HTTP interface of an engine, for any transport. */
import { contract, openApiDocument } from '@blockwork/contract';
import type { PolicyEngine } from '@blockwork/core';
import { answerOf } from '../answer/reply.js';
import { refusalOf } from '../answer/refusal.js';
import { TransportError } from '../answer/transport-error.js';
import type { HttpAnswer } from '../answer/http-answer.js';
import { handlers } from '../handlers/index.js';
import type { EngineRoute } from '../handlers/index.js';
import type { HttpRequest } from '../request/http-request.js';
import { requestIdOf } from '../request/request-id.js';
import { endpoint } from './endpoint.js';
import type { Endpoint, UntypedHandler } from './endpoint.js';
import type { ResolvedOptions } from './interface-options.js';
import { ServicePaths } from '../service/service-paths.js';
import { RouteTable } from './route-table.js';

/** No method rejects: failures are answers, and logged where the client must not see them. */
export class PolicyInterface<Source> {
  readonly #options: ResolvedOptions<Source>;
  readonly #table = new RouteTable<Endpoint<Source>>();
  readonly #service: ServicePaths;

  constructor(engine: PolicyEngine, options: ResolvedOptions<Source>) {
    this.#options = options;
    this.#service = new ServicePaths(engine, options);
    for (const name of Object.keys(handlers) as EngineRoute[]) {
      const route = contract[name];
      const handle = handlers[name] as UntypedHandler;
      this.#table.add(route.method, options.prefix + route.path, endpoint(engine, route, handle, options));
    }
    const { method, path } = contract.getOpenApi;
    this.#table.add(method, options.prefix + path, openApiEndpoint(options));
  }

  /** `undefined` if no route below the prefix has this path and method. */
  answer(request: HttpRequest<Source>): Promise<HttpAnswer> | undefined {
    const match = this.#table.find(request.method, request.path);
    return match?.endpoint(request, match.captures);
  }

  /** For another method on the path of a route: 204 for `OPTIONS`, otherwise 405. `undefined` for any other path. */
  answerOtherMethod(request: HttpRequest<Source>): HttpAnswer | undefined {
    const allow = this.#table.methodsAt(request.path).join(', ');
    if (allow === '') return undefined;
    if (request.method === 'OPTIONS') return { status: 204, headers: { Allow: allow }, body: null };
    const facts = { method: request.method, allow };
    return this.refuse(request, new TransportError('METHOD_NOT_ALLOWED', { facts, headers: { Allow: allow } }));
  }

  /**
   * Paths of the service, outside the prefix. `undefined` for any other path. `isClosing` is whether the server is about
   * to close.
   */
  answerService(request: HttpRequest<Source>, isClosing: boolean): Promise<HttpAnswer> | undefined {
    return this.#service.answer(request, isClosing);
  }

  /** The answer to a request that no route takes. */
  answerUnknown(request: HttpRequest<Source>): HttpAnswer {
    return this.refuse(request, new TransportError('ROUTE_UNKNOWN'));
  }

  refuse(request: HttpRequest<Source>, error: unknown): HttpAnswer {
    return refusalOf(request, error, requestIdOf(request, this.#options.ids), this.#options);
  }
}

/** The document stays the same, so its text is written once. */
function openApiEndpoint({ prefix, ids }: Pick<ResolvedOptions<never>, 'prefix' | 'ids'>): Endpoint<unknown> {
  let text: string | undefined;
  return (request) => {
    text ??= JSON.stringify(openApiDocument({ prefix }));
    return Promise.resolve(answerOf({ status: 200, text }, requestIdOf(request, ids)));
  };
}
