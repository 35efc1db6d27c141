/** Handlers of the routes that read from blocks and send data to them. */
import { BlockworkError } from '@blockwork/core';
import type { BlockReference, Json } from '@blockwork/core';
import type { Reply } from '../answer/reply.js';
import type { Call, HandlersOf, RoutesOf } from './call.js';
import { ok, okText } from './replies.js';
import { waitForAnswer } from './wait-for-answer.js';

export const blockHandlers: HandlersOf<RoutesOf<'Blocks'>> = {
  readRoot: async ({ engine, caller, params, query, traceparent }) =>
    okText(await engine.readRootText(caller, params.policyId, query, { traceparent })),
  readBlock: async ({ engine, caller, params, query, traceparent }) =>
    okText(await engine.readBlockText(caller, params.policyId, { uuid: params.uuid }, query, { traceparent })),
  sendToBlock: (call) => send(call, { uuid: call.params.uuid }),
  getBlockId: async ({ engine, caller, params }) =>
    ok({ id: (await engine.findBlock(caller, params.policyId, params.tag)).uuid }),
  readBlockByTag: async ({ engine, caller, params, query, traceparent }) =>
    okText(await engine.readBlockText(caller, params.policyId, { tag: params.tag }, query, { traceparent })),
  sendToBlockByTag: (call) => send(call, { tag: call.params.tag }),
};

type SendCall = Call<'sendToBlock'> | Call<'sendToBlockByTag'>;

/** Sends to the block here, or asks the instance that hosts the policy. */
async function send(call: SendCall, block: BlockReference): Promise<Reply> {
  const { engine, caller, params, body, idempotencyKey, traceparent } = call;
  const host = await engine.program.requests.getHost(params.policyId);
  if (host !== undefined) return ask(call, block);
  return ok(await engine.sendToBlock(caller, params.policyId, block, body, { idempotencyKey, traceparent }));
}

async function ask(call: SendCall, block: BlockReference): Promise<Reply> {
  const { engine, caller, params, query, body, idempotencyKey, traceparent } = call;
  const { messageId } = await engine.requests.sendToRemoteBlock(caller, params.policyId, block, body as Json, {
    idempotencyKey,
    traceparent,
  });
  const { status, startMessageId, closed } = await waitForAnswer(call, messageId, query.timeout);
  if (status === 'NEW') return { status: 202, body: { messageId, startMessageId, status } };
  if (status === 'COMPLETED') return ok(closed?.result ?? {});
  const reason = closed?.error?.message ?? closed?.reason ?? 'no reason was given';
  throw new BlockworkError('REQUEST_NOT_DONE', { facts: { messageId, status, reason } });
}
