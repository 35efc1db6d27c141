/** Routes for data from outside a policy. */
import { z } from 'zod';
import { component } from '../component.js';
import { json } from '../records/json.js';
import { refused } from '../answers.js';
import { blockTag, policyId } from '../parameter.js';
import { route } from '../route.js';
import type { Answer, Body } from '../route.js';

/** A credential and the member or device it belongs to. */
const data = component(
  'ExternalData',
  z.looseObject({
    owner: z.string(),
    document: z.looseObject({}),
    ref: json.nullish(),
  }),
);
const taggedData = component('TaggedExternalData', data.extend({ policyTag: z.string() }));
const body = { kind: 'json', schema: data } as const satisfies Body;
const accepted = {
  description: 'The data was accepted and processed.',
  schema: z.boolean(),
} as const satisfies Answer;

/** Callers that may execute policies submit data of their own or of their devices. */
const submitting = { permission: 'POLICIES_EXTERNAL_DATA_CREATE', orPermission: 'POLICIES_POLICY_EXECUTE' } as const;

export const externalRoutes = {
  sendExternalData: route({
    method: 'POST',
    path: '/external',
    summary: 'Sends a credential to every block of a policy that accepts external data; `policyTag` names the policy.',
    ...submitting,
    params: {},
    query: { kind: 'none' },
    body: { ...body, schema: taggedData },
    takesIdempotencyKey: true,
    answers: { 200: accepted, ...refused(400, 404, 405, 409, 413, 415, 422) },
  }),
  sendExternalDataToBlock: route({
    method: 'POST',
    path: '/external/{policyId}/{tag}',
    summary: 'Sends a credential to one block that accepts external data.',
    ...submitting,
    params: { policyId, tag: blockTag },
    query: { kind: 'none' },
    body,
    takesIdempotencyKey: true,
    answers: { 200: accepted, ...refused(400, 404, 405, 409, 413, 415, 422) },
  }),
} as const;
