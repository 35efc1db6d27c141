/** The external ledger, for operators. */
import { z } from 'zod';
import { component } from '../component.js';
import { timestamp } from './identifiers.js';
import { stuckWork } from './operation.js';

const count = z.int().min(0);
const amount = z.string();

export const ledgerState = component(
  'LedgerState',
  z.object({
    network: z.string().describe('Name of the network, such as `testnet`.'),
    account: z.string().describe('The account that pays.'),
    currency: z.string().describe('The currency of all amounts, which are decimal text.'),
    balance: amount.nullable().describe('Balance of the account; `null` if the ledger cannot be asked now.'),
    readableUpTo: timestamp
      .nullable()
      .describe("Time up to which the ledger's history can be read; `null` if it cannot be read now."),
    pause: z
      .object({ reason: z.string(), remedy: z.string() })
      .nullable()
      .describe('Why nothing new is begun, and what would change that; `null` if something may be begun.'),
    costs: z.object({
      today: amount.describe('Fees of today (UTC).'),
      reserved: amount.describe('Maximum cost of transactions of today whose fee is not known yet.'),
      budget: amount.nullable().describe('What may be spent today; `null` for unlimited.'),
      total: amount.describe('Fees of all days.'),
    }),
    pending: count.describe('Number of effects that are not settled yet.'),
    oldest: timestamp.nullable().describe('Time of the oldest of them; `null` if none is pending.'),
    stuck: z.array(stuckWork).describe('Policies whose next effect this node could not settle; they are retried.'),
  }),
);

const differenceKinds = [
  'token-missing',
  'supply',
  'balance',
  'frozen',
  'kyc',
  'serial',
  'topic-missing',
  'message-missing',
  'message-changed',
  'message-order',
  'message-unknown',
  'log',
] as const;

export const ledgerComparison = component(
  'LedgerComparison',
  z.object({
    policyId: z.string(),
    at: timestamp.describe("Time up to which the ledger's history was read."),
    publishedAs: z
      .string()
      .optional()
      .describe(
        "The ledger's id of the message that published the policy, by which others read it; absent without one.",
      ),
    compared: z
      .object({ tokens: count, balances: count, serials: count, topics: count, messages: count })
      .describe('How much was compared.'),
    differences: z.array(
      z.object({
        kind: z.enum(differenceKinds),
        subject: z.string().describe('Ids on the ledger, or of the book for what is not there.'),
        book: z.string(),
        ledger: z.string(),
        remedy: z.string().describe('What to do about it.'),
      }),
    ),
    notes: z.array(z.string()).describe('What was not compared, and why; and what others did.'),
  }),
);

export const witnessedLog = component(
  'WitnessedLog',
  z.object({
    policyId: z.string(),
    entries: count.describe('Number of entries of its log now.'),
    witness: z
      .object({
        at: timestamp.describe('When it was sent.'),
        entries: count.describe('Number of entries then.'),
        messageId: z.string().nullable().describe("The ledger's id of its message; `null` if it is not known yet."),
      })
      .nullable()
      .describe('Its newest checkpoint on the ledger; `null` before the first one.'),
  }),
);

export const ledgerResumption = component(
  'LedgerResumption',
  z.object({
    allowance: z
      .string()
      .min(1)
      .max(40)
      .optional()
      .describe('An amount that may be spent today beyond the daily budget, as decimal text.'),
  }),
);
