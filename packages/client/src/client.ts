/** The client: a method for each route, and shortcuts for common tasks. */
import type { AnswerOf, Contract } from '@blockwork/contract';
import { demandObject } from './api-error.js';
import { eventsOf } from './events.js';
import type { EventOptions, PolicyEvent } from './events.js';
import { pagesOf } from './pages.js';
import { PolicyClient } from './policy-client.js';
import { routeCalls } from './route-calls.js';
import { Transport } from './transport.js';
import type { ClientOptions } from './transport.js';
import type { CallArgs, CallOptions, RouteCalls } from './types.js';

type PolicyRecord = AnswerOf<Contract['listPolicies'], 200>[number];
type RequestRow = AnswerOf<Contract['listRequests'], 200>[number];
type RevokedToken = AnswerOf<Contract['listRevokedTokens'], 200>[number];
type IdentityKey = AnswerOf<Contract['listKeys'], 200>[number];
type RequestFilter = Omit<NonNullable<CallArgs<'listRequests'>['query']>, 'pageIndex' | 'pageSize'>;

type NotificationRow = AnswerOf<Contract['listNotifications'], 200>[number];
type NotificationFilter = Omit<NonNullable<CallArgs<'listNotifications'>['query']>, 'pageIndex' | 'pageSize'>;

export interface Client {
  /** Every route of the contract, returning status, data and headers. */
  readonly routes: RouteCalls;
  /** One policy; nothing is sent yet. */
  policy(id: string): PolicyClient;
  /** All policies, oldest first, without their configuration. */
  policies(options?: CallOptions): AsyncGenerator<PolicyRecord, void>;
  /** Imports a `.policy` file as a draft of the caller. */
  importPolicy(file: Uint8Array, options?: CallOptions): Promise<AnswerOf<Contract['importPolicyFile'], 201>>;
  /** The processes that serve the store of the server. */
  nodes(options?: CallOptions): Promise<AnswerOf<Contract['listNodes'], 200>>;
  /** The backlog of the instance, its failing work and its limits. For operators. */
  operation(options?: CallOptions): Promise<AnswerOf<Contract['getOperation'], 200>>;
  /** The revoked tokens. */
  revokedTokens(options?: CallOptions): AsyncGenerator<RevokedToken, void>;
  /** Revokes a token, on every node. */
  revokeToken(token: CallArgs<'revokeToken'>['body'], options?: CallOptions): Promise<RevokedToken>;
  /** The keys registered by the caller, newest first. */
  keys(options?: CallOptions): AsyncGenerator<IdentityKey, void>;
  /** Live events of the named policies, or of all; reconnects automatically. */
  events(options?: EventOptions & { readonly policies?: readonly string[] }): AsyncGenerator<PolicyEvent, void>;
  /** Requests between instances that concern the caller, in order of arrival. */
  requests(filter?: RequestFilter, options?: CallOptions): AsyncGenerator<RequestRow, void>;
  /** Notifications of the caller, newest first; with `unread: 'true'` only unread ones. */
  notifications(filter?: NotificationFilter, options?: CallOptions): AsyncGenerator<NotificationRow, void>;
}

/**
 * A client of a server, or of an in-memory handler. All failures reject with a `BlockworkApiError`, except that an aborted signal
 * rejects with its reason and `token` with its own error. Throws `INPUT_INVALID` for unusable options.
 *
 * @example
 * const client = createClient({ url: 'https://registry.example', token });
 * const page = await client.policy('energy-certificates').block('certificates').read({ page: 2 });
 */
export function createClient(options: ClientOptions): Client {
  demandObject(options, 'createClient', 'options');
  const transport = new Transport(options);
  const routes = routeCalls(transport);
  return {
    routes,
    policy: (id) => new PolicyClient(routes, transport, id),
    events: (given = {}) => {
      demandObject(given, 'events', 'options');
      const { policies, ...rest } = given;
      return eventsOf(transport, 'events', { query: { policy: policies } }, rest);
    },
    policies: (call = {}) => pagesOf((query) => routes.listPolicies({ ...call, query })),
    importPolicy: async (body, call = {}) => (await routes.importPolicyFile({ ...call, body })).data,
    nodes: async (call = {}) => (await routes.listNodes(call)).data,
    operation: async (call = {}) => (await routes.getOperation(call)).data,
    revokedTokens: (call = {}) => pagesOf((query) => routes.listRevokedTokens({ ...call, query })),
    revokeToken: async (body, call = {}) => (await routes.revokeToken({ ...call, body })).data,
    keys: (call = {}) => pagesOf((query) => routes.listKeys({ ...call, query })),
    requests: (filter = {}, call = {}) =>
      pagesOf((query) => routes.listRequests({ ...call, query: { ...filter, ...query } })),
    notifications: (filter = {}, call = {}) =>
      pagesOf((query) => routes.listNotifications({ ...call, query: { ...filter, ...query } })),
  };
}
