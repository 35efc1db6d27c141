/** Selects the key that a token was signed with, by the header of the token. */
import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import { AuthenticationError } from './authentication-error.js';
import type { VerificationKey } from './verification-key.js';

/** Extensions listed in `crit` must be understood (RFC 7515, section 4.1.11); none are supported. */
const headerSchema = z.object({ alg: z.string(), kid: z.string().optional(), crit: z.never().optional() });

/** Throws an `AuthenticationError` for a token of another key or another algorithm. */
export function selectKey(keys: readonly VerificationKey[], header: unknown): KeyObject {
  const parsed = headerSchema.safeParse(header);
  if (!parsed.success) throw new AuthenticationError('malformed', 'The token is malformed.', parsed.error);
  const { kid, alg } = parsed.data;
  const { algorithm, key } = kid === undefined ? onlyKey(keys, alg) : namedKey(keys, kid, alg);
  if (algorithm === alg) return key;
  throw new AuthenticationError('algorithm', `The token is signed with ${alg}, which is not the algorithm of its key.`);
}

/** The key with this `kid`. If none has it, a key without `kid` may be meant. */
function namedKey(keys: readonly VerificationKey[], kid: string, alg: string): VerificationKey {
  const named = keys.find((key) => key.kid !== undefined && (key.kid === kid || latin1(key.kid) === kid));
  return named ?? onlyKey(withoutKid(keys), alg);
}

/** The only key, or the only one for the algorithm. */
function onlyKey(keys: readonly VerificationKey[], alg: string): VerificationKey {
  const possible = keys.length > 1 ? keys.filter(({ algorithm }) => algorithm === alg) : keys;
  const [key] = possible;
  if (key !== undefined && possible.length === 1) return key;
  throw new AuthenticationError('key', 'The key that signed the token is unknown.');
}

const withoutKid = (keys: readonly VerificationKey[]): VerificationKey[] => keys.filter(({ kid }) => kid === undefined);

/** jsonwebtoken reads and writes headers as Latin-1; other issuers write UTF-8. */
const latin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
