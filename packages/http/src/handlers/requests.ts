/** Handlers of the routes about requests between instances. */
import { BlockworkError } from '@blockwork/core';
import type { RemoteRequest } from '@blockwork/core';
import type { HandlersOf, RoutesOf } from './call.js';
import { ok, okPage } from './replies.js';
import { waitForAnswer } from './wait-for-answer.js';

export const requestHandlers: HandlersOf<RoutesOf<'Requests between instances'>> = {
  offerPolicy: async ({ engine, caller, params, body: { to, recipient, view }, idempotencyKey, traceparent }) => {
    const offer = { to, ...defined({ recipient, view }) };
    const sent = { idempotencyKey, traceparent };
    const offered = await engine.requests.offerPolicy(caller, params.policyId, offer, sent);
    return { status: 201, body: rowOf(offered) };
  },
  listRequests: async ({ engine, caller, query }) => {
    const { pageIndex = 0, pageSize = 100, ...filter } = query;
    const page = { ...defined(filter), offset: pageIndex * pageSize, limit: pageSize };
    const { items, total } = await engine.requests.list(caller, page);
    return okPage({ items: items.map(rowOf), total });
  },
  countRequests: async ({ engine, caller, query }) => ok(await engine.requests.count(caller, defined(query))),
  refusedMessages: async ({ engine, caller }) => ok(await engine.requests.getRefusalReport(caller)),
  getRequest: async (call) => ok(publicView(await waitForAnswer(call, call.params.messageId, call.query.timeout))),
  approveRequest: async ({ engine, caller, params, body }) =>
    ok(
      body === undefined
        ? await engine.requests.approveAsOffered(caller, params.messageId)
        : await engine.requests.approve(caller, params.messageId, body),
    ),
  rejectRequest: async ({ engine, caller, params, body }) =>
    ok(rowOf(await engine.requests.reject(caller, params.messageId, body?.reason))),
  cancelRequest: async (call) => {
    const request = await call.engine.requests.cancel(call.caller, call.params.messageId);
    const { messageId } = request;
    const row = request.status === 'NEW' ? await waitForAnswer(call, messageId, call.query.timeout) : request;
    const { status } = row;
    if (status === 'NEW') return { status: 202, body: rowOf(row) };
    if (status !== 'CANCELED') throw new BlockworkError('REQUEST_CLOSED', { facts: { messageId, status } });
    return ok(rowOf(row));
  },
};

/** Without the engine's bookkeeping. The approved record is in the answer to the approval only. */
function publicView({ closed, ...facts }: RemoteRequest): PublicView {
  const { id: _id, concerns: _concerns, resume: _resume, traceparent: _traceparent, ...row } = facts;
  if (closed === undefined) return row;
  const { record: _record, ...rest } = closed;
  return { ...row, closed: rest };
}

type PublicView = Omit<RemoteRequest, 'id' | 'concerns' | 'resume' | 'traceparent' | 'closed'> & {
  readonly closed?: object;
};

/** Without the action, which can be large. */
function rowOf(request: RemoteRequest): object {
  const { action: _action, ...row } = publicView(request);
  return row;
}

type Defined<T> = { [Key in keyof T]: Exclude<T[Key], undefined> };

/** Drops members that are `undefined`. */
const defined = <T extends object>(value: T): Partial<Defined<T>> =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Partial<Defined<T>>;
