/** Handlers of the routes about the instance and its nodes. */
import type { HandlersOf, RoutesOf } from './call.js';
import { ok, okList, okPage, rangeOf } from './replies.js';

export const nodeHandlers: HandlersOf<RoutesOf<'Nodes'>> = {
  listNodes: async ({ engine, caller }) => okList(await engine.nodes.list(caller)),
  getOperation: async ({ engine, caller }) => ok(await engine.operation.get(caller)),
  listOutbox: async ({ engine, caller, query }) => okPage(await engine.operation.outbox(caller, rangeOf(query))),
  listWitnesses: async ({ engine, caller, query }) => okPage(await engine.ledger.witnesses(caller, rangeOf(query))),
  listStuckWork: async ({ engine, caller }) => okList(await engine.operation.stuck(caller)),
  listSlowUnits: async ({ engine, caller }) => okList(await engine.operation.slowUnits(caller)),
  getLedger: async ({ engine, caller }) => ok(await engine.ledger.status(caller)),
  resumeLedger: async ({ engine, caller, body }) => {
    await engine.ledger.resume(caller, body);
    return ok(await engine.ledger.status(caller));
  },
  listLogLines: async ({ engine, caller, query: { requestId, level, ...page } }) =>
    okPage(await engine.operation.log(caller, { ...rangeOf(page), requestId, level })),
};
