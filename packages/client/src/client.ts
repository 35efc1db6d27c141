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
  /**
   * One policy; nothing is sent yet.
   *
   * @example const certificates = client.policy('energy-certificates').block('certificates');
   */
  policy(id: string): PolicyClient;
  /**
   * All policies, oldest first, without their configuration.
   *
   * @example
   * const running: string[] = [];
   * for await (const { id, status } of client.policies()) if (statusIs(status, 'running')) running.push(id);
   */
  policies(options?: CallOptions): AsyncGenerator<PolicyRecord, void>;
  /**
   * Imports a `.policy` file as a draft of the caller.
   *
   * @example
   * const { policy } = await client.importPolicy(file);
   * const { isValid } = await client.policy(policy.id).dryRun();
   */
  importPolicy(file: Uint8Array, options?: CallOptions): Promise<AnswerOf<Contract['importPolicyFile'], 201>>;
  /**
   * The processes that serve the store of the server.
   *
   * @example const versions = new Set((await client.nodes()).map(({ version }) => version));
   */
  nodes(options?: CallOptions): Promise<AnswerOf<Contract['listNodes'], 200>>;
  /**
   * The backlog of the instance, its failing work and its limits. For operators.
   *
   * @example
   * const { backlog } = await client.operation();
   * if (backlog.outbox.oldestMs > 60_000) alert('Other instances do not answer.');
   */
  operation(options?: CallOptions): Promise<AnswerOf<Contract['getOperation'], 200>>;
  /**
   * The revoked tokens.
   *
   * @example
   * const revoked = new Set<string>();
   * for await (const { tokenId } of client.revokedTokens()) revoked.add(tokenId);
   */
  revokedTokens(options?: CallOptions): AsyncGenerator<RevokedToken, void>;
  /**
   * Revokes a token, on every node.
   *
   * @example
   * const inAnHour = Math.floor(Date.now() / 1000) + 3600;
   * await client.revokeToken({ jti: 'jti-1', exp: inAnHour, reason: 'The laptop was lost.' });
   */
  revokeToken(token: CallArgs<'revokeToken'>['body'], options?: CallOptions): Promise<RevokedToken>;
  /**
   * The keys registered by the caller, newest first.
   *
   * @example
   * const meters: string[] = [];
   * for await (const { name, revokeDate } of client.keys()) if (revokeDate === undefined) meters.push(name ?? '');
   */
  keys(options?: CallOptions): AsyncGenerator<IdentityKey, void>;
  /**
   * Live events of the named policies, or of all; reconnects automatically.
   *
   * @example
   * for await (const event of client.events({ policies: [policyId], signal })) {
   *   if (event.type === 'unit') show(event.blocks);
   * }
   */
  events(options?: EventOptions & { readonly policies?: readonly string[] }): AsyncGenerator<PolicyEvent, void>;
  /**
   * Requests between instances that concern the caller, in order of arrival.
   *
   * @example
   * for await (const { messageId } of client.requests({ status: 'NEW' })) {
   *   await client.routes.rejectRequest({ messageId, body: { reason: 'We take no policies.' } });
   * }
   */
  requests(filter?: RequestFilter, options?: CallOptions): AsyncGenerator<RequestRow, void>;
  /**
   * Notifications of the caller, newest first; with `unread: 'true'` only unread ones.
   *
   * @example
   * const titles: string[] = [];
   * for await (const { title } of client.notifications({ unread: 'true' })) titles.push(title);
   */
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
    events: (eventOptions = {}) => {
      demandObject(eventOptions, 'events', 'options');
      const { policies, ...rest } = eventOptions;
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
