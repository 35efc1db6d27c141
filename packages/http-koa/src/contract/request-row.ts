/** A request between instances, as the interface shows it. */
import { requestStatus, requestType, requestedAction, sender } from '@blockwork/core/records';
import { z } from 'zod';

const step = z.object({ status: requestStatus, at: z.string(), by: z.string() });
const failure = z.object({ code: z.string(), message: z.string() });

/** What lists show; `action`, which can be large, is only shown for one request. */
export const requestRow = z.looseObject({
  messageId: z.string().describe('What this instance calls it.'),
  startMessageId: z.string().describe('What both instances call the conversation.'),
  direction: z.enum(['incoming', 'outgoing']).describe('Whether this instance is asked, or asks.'),
  type: requestType,
  status: requestStatus,
  policyId: z.string(),
  sender,
  to: z.string().describe('The instance that is asked.'),
  receivedAt: z.string(),
  expiresAt: z.string(),
  history: z.array(step).describe('Oldest first.'),
  closed: z
    .looseObject({
      by: z.string(),
      at: z.string(),
      result: z.json().optional(),
      reason: z.string().optional(),
      error: failure.optional(),
    })
    .optional(),
  cancelAsked: z.object({ by: z.string(), at: z.string() }).optional(),
});

export const requestWithAction = requestRow.extend({ action: requestedAction });

const whole = z.int().min(0);

export const requestCounts = z.object({
  total: whole.describe('As many as the list has with the same filter.'),
  requestsCount: whole.describe('Open ones that others ask.'),
  actionsCount: whole.describe('Open ones that this instance asks.'),
  delayCount: whole.describe('Completed within the last minute.'),
  statuses: z.record(requestStatus, whole),
});

const refusedMessage = z.object({
  at: z.string(),
  reason: z.string(),
  detail: z.string(),
  instance: z.string().nullable(),
  messageId: z.string(),
});

export const refusalReport = z.object({
  counts: z.record(z.string(), whole).describe('Since the start, by reason.'),
  latest: z.array(refusedMessage).describe('Newest first, at most a hundred.'),
});

/** What a caller gets who does not wait for an answer of another instance. */
export const askedElsewhere = z.object({
  messageId: z.string(),
  startMessageId: z.string(),
  status: requestStatus,
});
