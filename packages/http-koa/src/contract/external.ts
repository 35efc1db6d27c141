/** Routes by which data comes in from outside of a policy's users. */
import { z } from 'zod';
import { refused } from './answers.js';
import { blockTag, policyId } from './parameter.js';
import { route } from './route.js';
import type { Answer, Body } from './route.js';

/** A credential, and the identity that it is handed in for. */
const data = z.looseObject({
  owner: z.string(),
  document: z.looseObject({}),
  ref: z.json().nullish(),
});
const body = { kind: 'json', schema: data } as const satisfies Body;
const taken: Answer = {
  description: 'The data was taken, and everything that follows from it is done.',
  schema: z.boolean(),
};

export const externalRoutes = {
  sendExternalData: route({
    method: 'POST',
    path: '/external',
    summary:
      'Hands a credential to every block of a policy that takes data from outside; `policyTag` names the policy.',
    permission: 'POLICIES_EXTERNAL_DATA_CREATE',
    params: {},
    query: { kind: 'none' },
    body: { ...body, schema: data.extend({ policyTag: z.string() }) },
    answers: { 200: taken, ...refused(400, 404, 405, 409, 413, 415, 422) },
  }),
  sendExternalDataToBlock: route({
    method: 'POST',
    path: '/external/{policyId}/{tag}',
    summary: 'Hands a credential to one block that takes data from outside.',
    permission: 'POLICIES_EXTERNAL_DATA_CREATE',
    params: { policyId, tag: blockTag },
    query: { kind: 'none' },
    body,
    answers: { 200: taken, ...refused(400, 404, 405, 409, 413, 415, 422) },
  }),
} as const;
