/** The state of an instance, for those who operate it. */
import { z } from 'zod';
import { component } from '../component.js';

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
    limits: z.record(z.string(), z.number().nullable()).describe('By name; `null` for one that does not limit.'),
  }),
);
