/** A revoked token. */
import { z } from 'zod';
import { component } from '../component.js';
import { timestamp } from './identifiers.js';

export const revokedToken = component(
  'RevokedToken',
  z.looseObject({
    id: z.string(),
    tokenId: z.string().describe('Its `jti`.'),
    expiresAt: timestamp.describe('The revocation is kept until then.'),
    revokedBy: z.string(),
    reason: z.string().optional(),
    createDate: timestamp,
  }),
);

/** As in the claims of the token. */
export const tokenRevocation = component(
  'TokenRevocation',
  z.object({
    jti: z.string().min(1).max(500).describe('The `jti` of the token.'),
    exp: z.number().positive().max(253_402_300_799).describe('Its `exp`: seconds since 1970.'),
    reason: z.string().max(500).optional().describe('For other operators.'),
  }),
);
