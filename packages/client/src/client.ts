/** The client: a method for each route, and shorter ways for what is done often. */
import type { AnswerOf, Contract } from '@blockwork/contract';
import { pagesOf } from './pages.js';
import { PolicyClient } from './policy-client.js';
import { routeCalls } from './route-calls.js';
import { Transport } from './transport.js';
import type { ClientOptions } from './transport.js';
import type { CallArgs, CallOptions, RouteCalls } from './types.js';

type PolicyRecord = AnswerOf<Contract['listPolicies'], 200>[number];
type RequestRow = AnswerOf<Contract['listRequests'], 200>[number];
type RequestFilter = Omit<NonNullable<CallArgs<'listRequests'>['query']>, 'pageIndex' | 'pageSize'>;

export interface Client {
  /** Every route of the contract, with status, data and headers of its answer. */
  readonly routes: RouteCalls;
  /** One policy; nothing is sent yet. */
  policy(id: string): PolicyClient;
  /** All policies, oldest first, without their configuration. */
  policies(options?: CallOptions): AsyncGenerator<PolicyRecord, void>;
  /** Requests between instances that concern the caller, in order of arrival. */
  requests(filter?: RequestFilter, options?: CallOptions): AsyncGenerator<RequestRow, void>;
}

/**
 * A client of a server, or of a handler in memory. Everything that fails rejects with a `BlockworkApiError`.
 *
 * @example
 * const client = createClient({ url: 'https://registry.example', token });
 * const page = await client.policy('renewable-energy').block('documents_grid').read({ page: 2 });
 */
export function createClient(options: ClientOptions): Client {
  const routes = routeCalls(new Transport(options));
  return {
    routes,
    policy: (id) => new PolicyClient(routes, id),
    policies: (call = {}) => pagesOf((query) => routes.listPolicies({ ...call, query })),
    requests: (filter = {}, call = {}) =>
      pagesOf((query) => routes.listRequests({ ...call, query: { ...filter, ...query } })),
  };
}
