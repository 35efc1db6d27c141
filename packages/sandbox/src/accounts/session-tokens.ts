/** The tokens of the sandbox: access tokens, which the server's verification accepts, and refresh tokens, which it rejects. */
import type { Caller, Clock } from '@blockwork/core';
import jwt from 'jsonwebtoken';
import { createSecretKey, KeyObject } from 'node:crypto';
import { z } from 'zod';
import { SandboxError } from '../errors.js';
import { identityOf, type Account } from './account.js';
import type { AccountBook } from './account-book.js';

export interface SessionTokenOptions {
  /** The secret that the server verifies tokens with. */
  readonly secret: KeyObject | Uint8Array;
  readonly issuer: string | undefined;
  readonly audience: string | undefined;
  /** Seconds. */
  readonly accessLifetime: number;
  readonly clock: Clock;
}

/** Seconds: 30 days, as in the reference. */
const REFRESH_LIFETIME = 30 * 86_400;

const claimsSchema = z.looseObject({
  kind: z.enum(['sandbox-access', 'sandbox-refresh']),
  account: z.string(),
  exp: z.number(),
});
type Claims = z.infer<typeof claimsSchema>;

export interface Session {
  readonly account: Account;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export class SessionTokens {
  readonly #key: KeyObject;

  constructor(
    private readonly options: SessionTokenOptions,
    private readonly accounts: AccountBook,
  ) {
    const { secret } = options;
    this.#key = secret instanceof KeyObject ? secret : createSecretKey(secret);
  }

  /** Has no `sub` until the account has an identity; only then does the server accept it. */
  access(account: Account): string {
    const { id, username, role } = account;
    const did = identityOf(account);
    const who = { kind: 'sandbox-access', account: id, username, role, ...(did === null ? {} : { sub: did }) };
    return this.#sign(who, this.options.accessLifetime);
  }

  /** Names no identity, so the server refuses it. */
  refresh({ id, username }: Account): string {
    return this.#sign({ kind: 'sandbox-refresh', account: id, name: username }, REFRESH_LIFETIME);
  }

  /** For a caller on whose behalf the sandbox sends requests. */
  forCaller({ did, ...caller }: Caller): string {
    return this.#sign({ ...caller, sub: did }, this.options.accessLifetime);
  }

  /** Throws `TOKEN_REFUSED`. */
  ofRefresh(token: string): Account {
    const claims = this.#verified(token);
    const account = claims?.kind === 'sandbox-refresh' ? this.accounts.byId(claims.account) : undefined;
    if (account === undefined) throw new SandboxError('TOKEN_REFUSED', { kind: 'refresh' });
    return account;
  }

  /** `undefined` for tokens not issued by the sandbox. Throws `TOKEN_REFUSED` for tokens of unknown accounts. */
  ofAccess(token: string): Session | undefined {
    const claims = this.#verified(token);
    if (claims?.kind !== 'sandbox-access') return undefined;
    const account = this.accounts.byId(claims.account);
    if (account === undefined) throw new SandboxError('TOKEN_REFUSED', { kind: 'access' });
    return { account, expiresAt: claims.exp * 1000 };
  }

  #sign(claims: object, lifetime: number): string {
    const { issuer, audience } = this.options;
    const iat = this.#now();
    const addressed = { ...(issuer && { iss: issuer }), ...(audience && { aud: audience }) };
    return jwt.sign({ ...claims, ...addressed, iat, exp: iat + lifetime }, this.#key, { algorithm: 'HS256' });
  }

  #verified(token: string): Claims | undefined {
    try {
      const payload = jwt.verify(token, this.#key, { algorithms: ['HS256'], clockTimestamp: this.#now() });
      return claimsSchema.safeParse(payload).data;
    } catch (error) {
      if (error instanceof jwt.JsonWebTokenError) return undefined;
      throw error;
    }
  }

  #now(): number {
    return Math.floor(this.options.clock.now() / 1000);
  }
}
