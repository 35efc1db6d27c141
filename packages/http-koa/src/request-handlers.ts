/** What the routes about requests between instances ask of the engine. */
import { BlockworkError } from '@blockwork/core';
import type { BlockReference, Json, RemoteRequest } from '@blockwork/core';
import type { Reply } from './answer/send.js';
import type { requestRoutes } from './contract/requests.js';
import type { Call, HandlersOf } from './handlers.js';

export const requestHandlers: HandlersOf<keyof typeof requestRoutes> = {
  listRequests: async ({ engine, caller, query }) => {
    const { pageIndex = 0, pageSize = 100, ...filter } = query;
    const page = { ...defined(filter), offset: pageIndex * pageSize, limit: pageSize };
    const { items, total } = await engine.requests.list(caller, page);
    return { status: 200, body: items.map(withoutAction), total };
  },
  countRequests: async ({ engine, caller, query }) => ({
    status: 200,
    body: await engine.requests.count(caller, defined(query)),
  }),
  refusedMessages: ({ engine, caller }) => Promise.resolve({ status: 200, body: engine.requests.refused(caller) }),
  getRequest: async ({ engine, caller, params, query }) => ({
    status: 200,
    body: shown(await engine.requests.answer(caller, params.messageId, query.timeout ?? 0)),
  }),
  approveRequest: async ({ engine, caller, params, body }) => ({
    status: 200,
    body:
      body === undefined
        ? await engine.requests.approveAsOffered(caller, params.messageId)
        : await engine.approve(caller, params.messageId, body),
  }),
  rejectRequest: async ({ engine, caller, params, body }) => ({
    status: 200,
    body: withoutAction(await engine.requests.reject(caller, params.messageId, body?.reason)),
  }),
  cancelRequest: async ({ engine, caller, params, query }) => {
    const asked = await engine.requests.cancel(caller, params.messageId);
    const { messageId } = asked;
    const row = asked.status === 'NEW' ? await engine.requests.answer(caller, messageId, query.timeout ?? 0) : asked;
    const { status } = row;
    if (status === 'NEW') return { status: 202, body: withoutAction(row) };
    if (status !== 'CANCELED') throw new BlockworkError('REQUEST_CLOSED', { facts: { messageId, status } });
    return { status: 200, body: withoutAction(row) };
  },
};

type Sending = Call<'sendToBlock'> | Call<'sendToBlockByTag'>;

/** Data for a block: given to it, or to the instance that hosts its policy. */
export async function send({ engine, caller, params, query, body }: Sending, block: BlockReference): Promise<Reply> {
  const { policyId } = params;
  if ((await engine.requests.hostOf(policyId)) === undefined) {
    return { status: 200, body: await engine.sendToBlock(caller, policyId, block, body) };
  }
  const { messageId } = await engine.requests.sendToRemoteBlock(caller, policyId, block, body as Json);
  const { status, startMessageId, closed } = await engine.requests.answer(caller, messageId, query.timeout ?? 0);
  if (status === 'NEW') return { status: 202, body: { messageId, startMessageId, status } };
  if (status === 'COMPLETED') return { status: 200, body: closed?.result ?? {} };
  const reason = closed?.error?.message ?? closed?.reason ?? 'no reason was given';
  throw new BlockworkError('REQUEST_NOT_DONE', { facts: { messageId, status, reason } });
}

/** What is the server's own bookkeeping stays here; the policy's record is in the answer of the approval. */
function shown({ id: _id, concerns: _concerns, resume: _resume, closed, ...row }: RemoteRequest): object {
  if (closed === undefined) return row;
  const { record: _record, ...rest } = closed;
  return { ...row, closed: rest };
}

function withoutAction(request: RemoteRequest): object {
  const { action: _action, ...row } = shown(request) as { action?: unknown };
  return row;
}

type Defined<T> = { [Key in keyof T]: Exclude<T[Key], undefined> };

/** Without the members that are `undefined`. */
const defined = <T extends object>(value: T): Partial<Defined<T>> =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Partial<Defined<T>>;
