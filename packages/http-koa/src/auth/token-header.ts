/** What a token says of its own signature, before anything of it can be believed. */
import { z } from 'zod';
import { AuthenticationError } from './authentication-error.js';

const headerSchema = z.object({ alg: z.string(), kid: z.string().optional() });
export type TokenHeader = z.infer<typeof headerSchema>;

/** Extensions listed in `crit` must be understood (RFC 7515, section 4.1.11), and none is. */
const hasCritical = (header: unknown): boolean => typeof header === 'object' && header !== null && 'crit' in header;

export function decodeHeader(token: string): TokenHeader {
  const parsed = parse(token.slice(0, token.indexOf('.')));
  const header = headerSchema.safeParse(parsed);
  if (!header.success || hasCritical(parsed)) throw malformed();
  return header.data;
}

function parse(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  } catch (error) {
    throw malformed(error);
  }
}

const malformed = (cause?: unknown): AuthenticationError =>
  new AuthenticationError('malformed', 'The token is malformed.', cause);
