/** Routes about the instance itself: the nodes that serve its store, what waits, and its limits. */
import { z } from 'zod';
import { refused, totalCount } from '../answers.js';
import { node } from '../records/node.js';
import { operation } from '../records/operation.js';
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
  getOperation: route({
    method: 'GET',
    path: '/operation',
    summary:
      'Tells what waits in the instance, what fails and is retried, and its limits. Looks at most once a second.',
    permission: 'POLICIES_POLICY_MANAGE',
    params: {},
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: { 200: { description: 'The state.', schema: operation }, ...refused() },
  }),
} as const;
