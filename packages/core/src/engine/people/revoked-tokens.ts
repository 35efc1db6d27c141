/** Access tokens revoked before they expire, for operators and transports (Promise 23). */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Caller } from '../../access/index.js';
import { BlockworkError } from '../../errors.js';
import { demandObject, demandOptions } from '../../options/index.js';
import { isoNow, type Clock } from '../../ports/index.js';
import { toDetails } from '../../problem-details.js';
import { INSTANCE } from '../../records/index.js';
import type { RevokedToken } from '../../records/index.js';
import { lanes, revisionKeys, type Executor, type RecordReader, type UnitOfWork } from '../../transactions/index.js';
import type { Gate } from '../gate.js';
import type { EngineLimits } from '../limits.js';
import { boundedRange, pageOf, type ListPage, type Range } from '../page.js';

export interface RevokedTokensDeps {
  readonly store: RecordReader;
  readonly executor: Executor;
  readonly clock: Clock;
  readonly limits: Pick<EngineLimits, 'revokedTokens'>;
}

/** A token to revoke. */
export interface TokenRevocation {
  /** Its `jti`: 1 to 500 characters. */
  readonly tokenId: string;
  /** Expiry, in milliseconds since the epoch. The revocation is kept until then. */
  readonly expiresAt: number;
  /** For other operators; 500 characters at most. */
  readonly reason?: string | undefined;
}

const LENGTH = 500;
/** The last millisecond of the year 9999. */
const LAST = 253_402_300_799_999;
/** Removed in batches, to keep units of work small. */
const BATCH = 1000;

const printable = /^\P{Cc}*$/u;
const text = z
  .string()
  .max(LENGTH, `must have at most ${String(LENGTH)} characters`)
  .regex(printable, 'must be printable');
const revocation = z.strictObject({
  tokenId: text.min(1, 'must not be empty'),
  expiresAt: z.int('must be a whole number of milliseconds').max(LAST, 'must be before the year 10000'),
  reason: text.optional(),
});

/**
 * Effective immediately in all processes that share a store. Every method throws `PERMISSION_DENIED`
 * (`ACCOUNTS_TOKEN_REVOKE`), `ENGINE_CLOSED`.
 */
export class RevokedTokens {
  constructor(
    private readonly gate: Gate,
    private readonly deps: RevokedTokensDeps,
  ) {}

  /**
   * Revokes a token immediately. Idempotent, except that a later expiry is recorded. Throws `INPUT_INVALID`, also for
   * an expired token, `TOKENS_TOO_MANY`, and the errors common to all methods.
   *
   * @example await engine.revokedTokens.add(owner, { tokenId: 'jti-1', expiresAt: Date.parse('2100-01-01') });
   */
  async add(caller: Caller, token: TokenRevocation): Promise<RevokedToken> {
    this.gate.admit(caller, 'ACCOUNTS_TOKEN_REVOKE');
    demandObject(token, 'revokedTokens.add', 'token', 'tokenId and expiresAt, and perhaps a reason');
    const read = revocation.safeParse(token);
    if (!read.success) {
      const reason = 'This is not a token revocation.';
      throw new BlockworkError('INPUT_INVALID', { facts: { reason }, details: toDetails(read.error) });
    }
    const { tokenId, expiresAt, reason } = read.data;
    const now = this.deps.clock.now();
    if (expiresAt <= now) {
      const details = [{ path: '/expiresAt', message: 'is past' }];
      throw new BlockworkError('INPUT_INVALID', { facts: { reason: 'The token has expired already.' }, details });
    }
    const wanted: RevokedToken = {
      id: hashOf(tokenId),
      tokenId,
      expiresAt: new Date(expiresAt).toISOString(),
      revokedBy: caller.did,
      ...(reason !== undefined && { reason }),
      createDate: isoNow(this.deps.clock),
    };
    const keys = [revisionKeys.revokedTokens.of()];
    const { result } = await this.deps.executor.run(lanes.revokedTokens.of(), keys, (unit) => this.#put(unit, wanted));
    return result;
  }

  /**
   * Newest first; `total` counts all. Throws `INPUT_INVALID`, and the errors common to all methods.
   *
   * @example const { items } = await engine.revokedTokens.list(owner);
   */
  async list(caller: Caller, range: Range = {}): Promise<ListPage<RevokedToken>> {
    this.gate.admit(caller, 'ACCOUNTS_TOKEN_REVOKE');
    demandOptions(range, 'revokedTokens.list', 'range');
    const order = { path: 'createDate', direction: 'desc' } as const;
    return pageOf(this.deps.store, 'revoked-token', INSTANCE, { ...boundedRange(range), order });
  }

  async #put(unit: UnitOfWork, wanted: RevokedToken): Promise<RevokedToken> {
    const existing = await unit.get('revoked-token', INSTANCE, wanted.id);
    if (existing !== undefined) {
      if (existing.expiresAt >= wanted.expiresAt) return existing;
      const longer = { ...existing, expiresAt: wanted.expiresAt };
      unit.put('revoked-token', INSTANCE, longer);
      return longer;
    }
    const count = (await unit.count('revoked-token', INSTANCE)) - (await this.#removeExpired(unit, wanted.createDate));
    if (count >= this.deps.limits.revokedTokens) throw new BlockworkError('TOKENS_TOO_MANY', { facts: { count } });
    unit.put('revoked-token', INSTANCE, wanted);
    return wanted;
  }

  /** Expired tokens are rejected anyway. Resolves to the number removed. */
  async #removeExpired(unit: UnitOfWork, now: string): Promise<number> {
    const where = { path: 'expiresAt', op: 'lt', value: now } as const;
    const order = { path: 'expiresAt', direction: 'asc' } as const;
    const expired = await unit.find('revoked-token', INSTANCE, { where, order, limit: BATCH });
    for (const { id } of expired) unit.delete('revoked-token', INSTANCE, id);
    return expired.length;
  }
}

/** Whether the token with this `jti` was revoked. Accepts any text. */
export const isTokenRevoked = async (records: RecordReader, tokenId: string): Promise<boolean> =>
  (await records.get('revoked-token', INSTANCE, hashOf(tokenId))) !== undefined;

/** Hashed, because a `jti` may not be a valid store id. */
const hashOf = (tokenId: string): string => createHash('sha256').update(tokenId).digest('hex');
