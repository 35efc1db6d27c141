/** A one-time code for signing in to the console, valid for a few minutes after the start. */
import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '@blockwork/core';

/** Milliseconds. */
const LIFETIME_MS = 15 * 60_000;

export interface SignInCode {
  readonly code: string;
  /** Returns the tokens once for the right code; otherwise `null`. */
  readonly redeem: (code: string) => readonly string[] | null;
}

/** `code` is a new secret; `tokens` signs the tokens on redemption. */
export function signInCode(code: string, tokens: () => readonly string[], clock: Clock): SignInCode {
  const expires = clock.now() + LIFETIME_MS;
  let isUsed = false;
  return {
    code,
    redeem: (given) => {
      if (isUsed || clock.now() >= expires || !isEqual(given, code)) return null;
      isUsed = true;
      return tokens();
    },
  };
}

function isEqual(given: string, code: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(code)];
  return left.length === right.length && timingSafeEqual(left, right);
}
