/** Tokens, balances and the book of a policy. */
import { z } from 'zod';
import { component } from '../component.js';
import { effectType, tokenType } from './enumerations.js';
import { json } from './json.js';

export const units = z.string().regex(/^\d+$/);
const amount = z.string().describe('The units as a decimal amount of the token.');

export const tokenSummary = component(
  'TokenSummary',
  z.object({
    id: z.string(),
    tokenName: z.string(),
    tokenSymbol: z.string(),
    tokenType,
    decimals: z.int(),
    supply: units.describe('Sum of all balances, in units.'),
    supplyAmount: amount,
    lastSerial: z.int().describe('The highest serial number; 0 for fungible tokens.'),
    mints: z.int().describe('Number of mints.'),
    minted: units.describe('Total units minted, including units wiped later.'),
    mintedAmount: amount,
    holders: z.int().describe('Number of accounts with a balance.'),
  }),
);

export const tokenBalance = component(
  'TokenBalance',
  z.object({
    accountId: z.string(),
    balance: units,
    amount,
    associated: z.boolean(),
    frozen: z.boolean(),
    kyc: z.enum(['unset', 'granted', 'revoked']),
  }),
);

export const ledgerEffect = component(
  'LedgerEffect',
  z.looseObject({
    id: z.string(),
    policyId: z.string(),
    at: z.string(),
    type: effectType,
    tokenId: z.string().optional(),
    accountId: z.string().optional().describe('The account concerned; for mints and transfers, the recipient.'),
    fromAccountId: z.string().optional().describe('The sender of a transfer.'),
    units: units.optional(),
    amount: z.string().optional().describe('The units as a decimal amount of the token.'),
    serials: z.array(z.array(z.int())).optional().describe('Inclusive ranges.'),
    memo: z.string().optional(),
    topicId: z.string().optional(),
    messageId: z.string().optional(),
    body: json.optional(),
  }),
);

const message = {
  id: z.string(),
  topicId: z.string(),
  type: z.string(),
  owner: z.string().describe('The identity it was sent for.'),
  hash: z.string().describe('Hash of the document it represents, or empty.'),
  relationships: z.array(z.string()),
  memo: z.string(),
};
export const ledgerMessage = component('LedgerMessage', z.looseObject({ ...message, body: json }));
export const messageFacts = component('LedgerMessageFacts', z.looseObject(message));
