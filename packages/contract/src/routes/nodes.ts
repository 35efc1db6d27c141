/** Routes about the nodes that serve one store. */
import { z } from 'zod';
import { refused, totalCount } from '../answers.js';
import { node } from '../records/node.js';
import { route } from '../route.js';

export const nodeRoutes = {
  listNodes: route({
    method: 'GET',
    path: '/nodes',
    summary:
      'Lists the processes that are alive on the store, the oldest first; none where the store belongs to one process alone.',
    permission: 'POLICIES_POLICY_MANAGE',
    params: {},
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: { 200: { description: 'The nodes.', schema: z.array(node), headers: totalCount }, ...refused() },
  }),
} as const;
