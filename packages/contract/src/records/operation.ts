/** The state of an instance, for those who operate it. */
import { z } from 'zod';
import { component } from '../component.js';
import { timestamp } from './identifiers.js';

const count = z.int().min(0);
const milliseconds = z.number().min(0);

export const operation = component(
  'Operation',
  z.object({
    version: z.string().describe('Of the software.'),
    store: z.object({
      durable: z.boolean().describe('Whether acknowledged changes survive the process.'),
      shared: z.boolean().describe('Whether several processes may share it.'),
    }),
    backlog: z.object({
      units: z
        .object({ waiting: count, lanes: count })
        .describe('Units of work of this process that have not started, and lanes that are in use.'),
      outbox: z
        .object({ messages: count, oldestMs: milliseconds })
        .describe('Messages for other instances that were not sent. Ages are in milliseconds, 0 where nothing waits.'),
      settlements: count.describe('Effects that the external ledger does not have.'),
      requests: z
        .object({ open: count, oldestMs: milliseconds })
        .describe('Requests of other instances that nobody has decided.'),
      timers: z.object({ lateMs: milliseconds }).describe('How long the first timer has been due.'),
      deadLetters: count.describe('Events that webhooks gave up.'),
      stuck: z
        .record(z.string(), count)
        .describe(
          'Background work that fails and is retried: for how many policies, requests or messages. `policies` are those whose record is damaged.',
        ),
      isLinkConnected: z.boolean(),
    }),
    isLogKept: z.boolean().describe('Whether the process keeps its last log lines.'),
    limits: z.record(z.string(), z.number().nullable()).describe('By name; `null` for one that does not limit.'),
  }),
);

export const waitingMessage = component(
  'WaitingMessage',
  z.object({
    id: z.string(),
    type: z.string().describe('What it is about, such as `request` or `completed`.'),
    to: z.string().describe('The instance that is to get it.'),
    policyId: z.string(),
    startMessageId: z.string().describe('The conversation that it belongs to: that of its request.'),
    since: timestamp.describe('Since when it waits.'),
    failures: count.describe('Attempts that failed, in a row, as far as the process knows.'),
    retryAt: timestamp.nullable().describe('`null` for a message that has not failed.'),
    reason: z.string().nullable().describe('The last error; `null` for a message that has not failed.'),
  }),
);

export const stuckWork = component(
  'StuckWork',
  z.object({
    work: z.string().describe('Which work fails.'),
    id: z
      .string()
      .nullable()
      .describe('The policy, request or message that it fails for; `null` if it fails as a whole.'),
    failures: count.describe('In a row.'),
    retryAt: timestamp,
    reason: z.string().describe('The last error.'),
  }),
);

export const slowUnit = component(
  'SlowUnit',
  z.object({
    at: timestamp.describe('When it ended.'),
    ms: milliseconds.describe('Milliseconds, from the queue to the disk.'),
    cause: z.enum(['send', 'external', 'tick', 'retry', 'request']),
    policyId: z.string(),
    block: z.string().describe('The tag of the first block, or its uuid where nothing else is known.'),
    attempts: count.nullable().describe('How often it ran until it was committed; `null` if it failed.'),
    code: z.string().nullable().describe('Why it failed; `null` if it was committed.'),
  }),
);

export const logLine = component(
  'LogLine',
  z.object({
    at: timestamp,
    level: z.enum(['info', 'warn', 'error']),
    message: z.string(),
    requestId: z.string().nullable().describe('Of the request that it is about; `null` for work without one.'),
    fields: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .describe('What else it says: ids, codes and numbers; never tokens, secrets or documents.'),
  }),
);
