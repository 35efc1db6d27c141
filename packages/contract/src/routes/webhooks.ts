/** Routes about the webhooks of a policy. */
import { z } from 'zod';
import { refused, totalCount } from '../answers.js';
import { component } from '../component.js';
import { policyId, webhookId } from '../parameter.js';
import { boundedPageQuery } from '../query-parameters.js';
import { timestamp } from '../records/identifiers.js';
import { route } from '../route.js';

const events = z.array(z.enum(['unit', 'status'])).describe('Event types to send. A `gap` is always sent.');

const facts = z.looseObject({
  id: z.string(),
  policyId: z.string(),
  url: z.string(),
  events,
  suspended: z.string().nullable().describe('Why delivery is suspended until `resend`; `null` if active.'),
  resending: z.boolean().describe('Whether dead letters are about to be resent.'),
  createDate: timestamp,
});

const webhook = component('Webhook', facts);

const registered = component(
  'RegisteredWebhook',
  facts.extend({
    secret: z.string().describe('The signing key, as `whsec_` and base64. It is not shown again.'),
  }),
);

const registration = component(
  'WebhookRegistration',
  z.object({
    url: z.string().max(2000),
    events: events.optional(),
    secret: z.string().max(200).optional().describe('`whsec_` and 24 to 64 bytes as base64; generated if absent.'),
  }),
);

const deadLetter = component(
  'DeadLetter',
  z.looseObject({
    id: z.string(),
    webhookId: z.string(),
    messageId: z.string().describe('The header `webhook-id`, constant across attempts.'),
    body: z.string().describe('The request body: a CloudEvent as JSON.'),
    reason: z.string().describe('Why the last attempt failed.'),
    createDate: timestamp,
  }),
);

const ofOwner = { permission: 'POLICIES_POLICY_MANAGE', query: { kind: 'none' } } as const;

export const webhookRoutes = {
  listWebhooks: route({
    method: 'GET',
    path: '/policies/{policyId}/webhooks',
    summary: 'Lists the webhooks of a policy, without their secrets.',
    ...ofOwner,
    params: { policyId },
    body: { kind: 'none' },
    answers: {
      200: { description: 'The webhooks.', schema: z.array(webhook), headers: totalCount },
      ...refused(400, 404),
    },
  }),
  registerWebhook: route({
    method: 'POST',
    path: '/policies/{policyId}/webhooks',
    summary: 'Registers an address that is notified of changes in the policy from now on.',
    ...ofOwner,
    params: { policyId },
    body: { kind: 'json', schema: registration },
    answers: {
      201: { description: 'The webhook with its secret, which is not shown again.', schema: registered },
      ...refused(400, 404, 409, 413, 415, 422),
    },
  }),
  removeWebhook: route({
    method: 'DELETE',
    path: '/policies/{policyId}/webhooks/{webhookId}',
    summary: 'Removes a webhook and its dead letters.',
    ...ofOwner,
    params: { policyId, webhookId },
    body: { kind: 'none' },
    answers: { 200: { description: 'Done.', schema: z.object({}) }, ...refused(400, 404) },
  }),
  listDeadLetters: route({
    method: 'GET',
    path: '/policies/{policyId}/webhooks/{webhookId}/dead-letters',
    summary: 'Lists the dead letters of a webhook, oldest first.',
    permission: 'POLICIES_POLICY_MANAGE',
    params: { policyId, webhookId },
    query: { kind: 'listed', schema: boundedPageQuery },
    body: { kind: 'none' },
    answers: {
      200: { description: 'One page.', schema: z.array(deadLetter), headers: totalCount },
      ...refused(400, 404, 422),
    },
  }),
  resendWebhook: route({
    method: 'PUT',
    path: '/policies/{policyId}/webhooks/{webhookId}/resend',
    summary: 'Resends the dead letters of a webhook and resumes delivery.',
    ...ofOwner,
    params: { policyId, webhookId },
    body: { kind: 'none' },
    answers: { 200: { description: 'The webhook.', schema: webhook }, ...refused(400, 404, 409) },
  }),
} as const;
