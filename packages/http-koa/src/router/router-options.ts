/** Options of the router, with their defaults. */
import { consoleLogger, randomIds } from '@blockwork/core';
import type { Caller, Ids, Logger } from '@blockwork/core';
import { invalidOption, optionTypes } from '@blockwork/core/adapter';
import type { OptionShape } from '@blockwork/core/adapter';
import type { Context } from 'koa';
import { z } from 'zod';
import { TokenAuthenticator } from '../auth/token-authenticator.js';
import type { TokenOptions } from '../auth/token-authenticator.js';
import { DEFAULT_PREFIX } from '@blockwork/contract';

export interface RouterOptions {
  /** How Bearer tokens are verified. Pass a `TokenAuthenticator` to replace its keys later. */
  readonly auth?: TokenOptions | TokenAuthenticator;
  /**
   * Replaces `auth`: identifies the caller of a request. Throw an `AuthenticationError` for 401; any other error is
   * answered with 500.
   */
  readonly authenticate?: (ctx: Context) => Promise<Caller>;
  /** Path before every route, `''` for none; default `/api/v1`. */
  readonly prefix?: string;
  /** Bytes of a JSON body at most; default 1 MiB. */
  readonly bodyLimit?: number;
  /** Bytes of a policy file at most; default 32 MiB. */
  readonly policyFileLimit?: number;
  /**
   * Whether an approval may come without a record, as the reference's web page sends it: the record then stays as it
   * was offered. Default `false`, because the interface requires a record.
   */
  readonly approveWithoutBody?: boolean;
  /** Realm of the Bearer challenge; default `blockwork`. */
  readonly realm?: string;
  /** Receives failures with their causes; by default warnings and errors go to standard error. */
  readonly logger?: Logger;
  /** Creates request ids; random UUIDs by default. */
  readonly ids?: Ids;
}

export interface ResolvedOptions extends Required<Omit<RouterOptions, 'auth'>> {
  readonly authenticate: (ctx: Context) => Promise<Caller>;
}

const byteRange = 'must be a whole number of bytes above 0';
const bytes = z.int(byteRange).min(1, byteRange);

export const routerOptionShape: OptionShape<RouterOptions> = {
  auth: z.custom(
    (value) => typeof value === 'object' && value !== null,
    'must be an object with secret, keys or jwks, or a TokenAuthenticator',
  ),
  authenticate: optionTypes.function,
  prefix: z
    .string()
    .regex(/^(\/[\w.~-]+)*$/, 'must be empty, or begin with a slash and not end with one, for instance "/api/v1"'),
  bodyLimit: bytes,
  policyFileLimit: bytes,
  approveWithoutBody: z.boolean(),
  realm: z.string(),
  logger: optionTypes.logger,
  ids: optionTypes.ids,
};

/** Of options that were checked. */
export function resolveOptions(options: RouterOptions): ResolvedOptions {
  return {
    authenticate: authenticateOf(options),
    prefix: options.prefix ?? DEFAULT_PREFIX,
    bodyLimit: options.bodyLimit ?? 1024 * 1024,
    policyFileLimit: options.policyFileLimit ?? 32 * 1024 * 1024,
    approveWithoutBody: options.approveWithoutBody ?? false,
    realm: options.realm ?? 'blockwork',
    logger: options.logger ?? consoleLogger({ level: 'warn' }),
    ids: options.ids ?? randomIds,
  };
}

function authenticateOf({ auth, authenticate }: RouterOptions): (ctx: Context) => Promise<Caller> {
  if (authenticate !== undefined) {
    if (auth !== undefined) throw invalidOption('authenticate', 'it replaces auth; pass one of the two');
    return authenticate;
  }
  if (auth === undefined) throw invalidOption('auth', 'it is missing; pass the keys that tokens are verified with');
  const authenticator = auth instanceof TokenAuthenticator ? auth : new TokenAuthenticator(auth);
  return (ctx) => authenticator.authenticate(ctx);
}
