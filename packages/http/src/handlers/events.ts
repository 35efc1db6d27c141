/** Handlers of the event routes. */
import type { EventsQuery } from '@blockwork/core';
import type { Reply } from '../answer/reply.js';
import type { Call, HandlersOf, RoutesOf } from './call.js';

export const eventHandlers: HandlersOf<RoutesOf<'Events'>> = {
  policyEvents: (call) => streamed(call, { policyId: call.params.policyId }),
  events: (call) => streamed(call, call.query.policy === undefined ? {} : { policyId: call.query.policy }),
};

async function streamed(call: Call<'policyEvents'> | Call<'events'>, policies: EventsQuery): Promise<Reply> {
  const { engine, caller, query, lastEventId } = call;
  const after = lastEventId ?? query.after;
  const from = after === undefined ? {} : { after };
  const stream = await call.stream({
    events: (signal) => engine.events(caller, { ...policies, ...from, signal }),
    timeout: query.timeout,
  });
  return { status: 200, stream };
}
