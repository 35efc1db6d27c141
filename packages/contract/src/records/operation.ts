/** The state of an instance, for operators. */
import { z } from 'zod';
import { component } from '../component.js';
import { timestamp } from './identifiers.js';

const count = z.int().min(0);
const milliseconds = z.number().min(0);

export const operation = component(
  'Operation',
  z.object({
    version: z.string().describe('Software version.'),
    store: z.object({
      durable: z.boolean().describe('Whether acknowledged changes survive the process.'),
      shared: z.boolean().describe('Whether several processes may share it.'),
    }),
    backlog: z.object({
      units: z
        .object({ waiting: count, lanes: count })
        .describe('Units of work of this process that have not started, and active lanes.'),
      outbox: z
        .object({ messages: count, oldestMs: milliseconds })
        .describe('Unsent messages to other instances. Ages are in milliseconds, 0 if none.'),
      settlements: count.describe('Effects not yet applied to the external ledger.'),
      requests: z.object({ open: count, oldestMs: milliseconds }).describe('Undecided requests from other instances.'),
      timers: z.object({ lateMs: milliseconds }).describe('How overdue the earliest timer is.'),
      deadLetters: count.describe('Events that webhooks failed to deliver.'),
      stuck: z
        .record(z.string(), count)
        .describe(
          'Failing background work being retried: the number of policies, requests or messages affected. `policies` counts damaged policy records.',
        ),
      isLinkConnected: z.boolean(),
    }),
    isLogKept: z.boolean().describe('Whether the process keeps recent log lines.'),
    limits: z.record(z.string(), z.number().nullable()).describe('By name; `null` if unlimited.'),
  }),
);

export const waitingMessage = component(
  'WaitingMessage',
  z.object({
    id: z.string(),
    type: z.string().describe('Message type, such as `request` or `completed`.'),
    to: z.string().describe('The receiving instance.'),
    policyId: z.string(),
    startMessageId: z.string().describe('The conversation it belongs to.'),
    since: timestamp.describe('When it was queued.'),
    failures: count.describe('Consecutive failed attempts known to this process.'),
    retryAt: timestamp.nullable().describe('Time of the next attempt; `null` if it has not failed.'),
    reason: z.string().nullable().describe('The last error; `null` if it has not failed.'),
  }),
);

export const stuckWork = component(
  'StuckWork',
  z.object({
    work: z.string().describe('The kind of work.'),
    id: z.string().nullable().describe('The policy, request or message affected; `null` if the work fails as a whole.'),
    failures: count.describe('Consecutive failures.'),
    retryAt: timestamp,
    reason: z.string().describe('The last error.'),
  }),
);

export const slowUnit = component(
  'SlowUnit',
  z.object({
    at: timestamp.describe('When it ended.'),
    ms: milliseconds.describe('Milliseconds from enqueueing to durable commit.'),
    cause: z.enum(['send', 'external', 'tick', 'retry', 'request']),
    policyId: z.string(),
    block: z.string().describe('The tag of the first block, or its UUID if no tag is known.'),
    attempts: count.nullable().describe('Number of runs until it was committed; `null` if it failed.'),
    code: z.string().nullable().describe('The error code if it failed; `null` if it was committed.'),
  }),
);

export const logLine = component(
  'LogLine',
  z.object({
    at: timestamp,
    level: z.enum(['info', 'warn', 'error']),
    message: z.string(),
    requestId: z.string().nullable().describe('Id of the related request; `null` if there is none.'),
    fields: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .describe('Further fields: ids, codes and numbers; never tokens, secrets or documents.'),
  }),
);
