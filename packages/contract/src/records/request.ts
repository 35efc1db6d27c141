/** Requests between instances, as the interface shows them. */
import { z } from 'zod';
import { component } from '../component.js';
import { requestStatus, requestType } from './enumerations.js';
import { json } from './json.js';
import { did, instanceName, requestedAction, sender } from './requested-action.js';

const step = z.object({ status: requestStatus, at: z.string(), by: z.string() });
const failure = z.object({ code: z.string(), message: z.string() });

/** A list item. Omits `action`, which can be large. */
export const requestRow = component(
  'Request',
  z.looseObject({
    messageId: z.string().describe('Identifier on this instance.'),
    startMessageId: z.string().describe('Identifier of the conversation, equal on both instances.'),
    direction: z.enum(['incoming', 'outgoing']).describe('`incoming`: sent to this instance.'),
    type: requestType,
    status: requestStatus,
    policyId: z.string(),
    sender,
    to: z.string().describe('The receiving instance.'),
    receivedAt: z.string(),
    expiresAt: z.string(),
    history: z.array(step).describe('Oldest first.'),
    closed: z
      .looseObject({
        by: z.string(),
        at: z.string(),
        result: json.optional(),
        reason: z.string().optional(),
        error: failure.optional(),
      })
      .optional(),
    cancelAsked: z.object({ by: z.string(), at: z.string() }).optional(),
  }),
);

export const requestWithAction = component('RequestWithAction', requestRow.extend({ action: requestedAction }));

export const offer = component(
  'Offer',
  // Strict: a misspelled `view` would hand over a policy that the owner meant to keep hosting.
  z.strictObject({
    to: instanceName.describe('The receiving instance, a peer of this one.'),
    recipient: did
      .optional()
      .describe('The identity there that decides; if absent, any identity with the permission to decide.'),
    view: z
      .boolean()
      .optional()
      .describe(
        'Keep hosting the policy here: it is sent without sensitive options, and data for its blocks is sent back.',
      ),
  }),
  { to: 'south', view: true },
);

const whole = z.int().min(0);

export const requestCounts = component(
  'RequestCounts',
  z.object({
    total: whole.describe('Length of the list with the same filter.'),
    requestsCount: whole.describe('Open incoming requests.'),
    actionsCount: whole.describe('Open outgoing requests.'),
    delayCount: whole.describe('Completed within the last minute.'),
    statuses: z.record(requestStatus, whole),
  }),
);

const refusedMessage = z.object({
  at: z.string(),
  reason: z.string(),
  detail: z.string(),
  instance: z.string().nullable(),
  messageId: z.string(),
});

export const refusalReport = component(
  'RefusalReport',
  z.object({
    counts: z.record(z.string(), whole).describe('By reason, across all nodes, since the store was created.'),
    latest: z.array(refusedMessage).describe('Newest first, at most 100.'),
  }),
);

/** Returned if the caller does not wait for the other instance's answer. */
export const askedElsewhere = component(
  'AskedElsewhere',
  z.object({
    messageId: z.string(),
    startMessageId: z.string(),
    status: requestStatus,
  }),
);
