/** Handlers of the routes about the instance and its nodes. */
import type { HandlersOf, RoutesOf } from './call.js';
import { ok, okList } from './replies.js';

export const nodeHandlers: HandlersOf<RoutesOf<'Nodes'>> = {
  listNodes: async ({ engine, caller }) => okList(await engine.nodes.list(caller)),
  getOperation: async ({ engine, caller }) => ok(await engine.operation.get(caller)),
};
