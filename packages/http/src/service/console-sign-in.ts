/**
 * Signing in to the console with a one-time code, on this machine only: the page sends the code in the body of one request and gets
 * tokens. Default deny: another origin, another host than a loopback one, and any code but the right one are refused alike.
 */
import type { Clock } from '@blockwork/core';
import { z } from 'zod';
import { TransportError } from '../answer/transport-error.js';
import { isLoopbackName } from '../auth/loopback.js';
import { TokenBucket } from '../limits/token-bucket.js';
import { BodyBudget, BodyShare } from '../request/body-budget.js';
import type { HttpRequest } from '../request/http-request.js';
import { readJson } from '../request/json-body.js';

/** Gives tokens for the code, once; `null` for every other text. */
export type RedeemCode = (code: string) => readonly string[] | null;

const body = z.strictObject({ code: z.string().min(1).max(200) });

/** Bytes of a body at most. */
const LIMIT = 1_000;
/** Attempts that may come at once, and then one a second. */
const BURST = 5;

export class ConsoleSignIn {
  readonly #bucket: TokenBucket;
  readonly #bodies = new BodyBudget(LIMIT * BURST);

  constructor(
    private readonly redeem: RedeemCode,
    clock: Clock,
  ) {
    this.#bucket = new TokenBucket(1, BURST, clock);
  }

  /** Rejects with `SIGN_IN_REFUSED`, `RATE_LIMITED`, or what is wrong with the body. */
  async tokens(request: HttpRequest): Promise<readonly string[]> {
    if (!isOwnPage(request)) throw new TransportError('SIGN_IN_REFUSED');
    this.#admit();
    const share = new BodyShare(this.#bodies);
    try {
      const { code } = (await readJson(request, body, { limit: LIMIT, share })) as z.infer<typeof body>;
      const tokens = this.redeem(code);
      if (tokens === null) throw new TransportError('SIGN_IN_REFUSED');
      return tokens;
    } finally {
      share.release();
    }
  }

  #admit(): void {
    const ms = this.#bucket.msUntil(1);
    if (ms > 0) {
      const seconds = Math.ceil(ms / 1000);
      const facts = { rate: '1 attempt to sign in', seconds };
      throw new TransportError('RATE_LIMITED', { facts, headers: { 'Retry-After': String(seconds) } });
    }
    this.#bucket.take(1);
  }
}

/** Sent by a page of this server, under a name that no other machine can have: browsers send `Origin` with every POST. */
function isOwnPage(request: HttpRequest): boolean {
  const host = request.header('host') ?? '';
  return isLoopbackName(host.replace(/:\d+$/, '')) && request.header('origin') === `http://${host}`;
}
