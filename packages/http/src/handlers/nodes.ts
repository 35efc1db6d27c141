/** Handlers of the routes about nodes. */
import type { HandlersOf, RoutesOf } from './call.js';
import { okList } from './replies.js';

export const nodeHandlers: HandlersOf<RoutesOf<'Nodes'>> = {
  listNodes: async ({ engine, caller }) => okList(await engine.nodes.list(caller)),
};
