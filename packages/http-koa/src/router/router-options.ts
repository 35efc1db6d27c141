/** Options of the router and the server, with their defaults. */
import { consoleLogger, randomIds } from '@blockwork/core';
import type { Caller, Ids, Logger } from '@blockwork/core';
import type { Context } from 'koa';
import { TokenAuthenticator } from '../auth/token-authenticator.js';
import type { TokenOptions } from '../auth/token-authenticator.js';
import { DEFAULT_PREFIX } from '../contract/index.js';
import { invalidOption } from '../options.js';

export interface RouterOptions {
  /** How Bearer tokens are verified: rules and keys, or an authenticator made earlier, for instance to replace its keys. */
  readonly auth?: TokenOptions | TokenAuthenticator;
  /**
   * Takes the place of `auth`: recognises the caller of a request in the embedder's own way. Throw an
   * `AuthenticationError` for 401; anything else is answered with 500.
   */
  readonly authenticate?: (ctx: Context) => Promise<Caller>;
  /** Path before every route; `/api/v1` when absent, and `''` for none. */
  readonly prefix?: string;
  /** Bytes of a JSON body at most; 1 MiB when absent. */
  readonly bodyLimit?: number;
  /** Bytes of a policy file at most; 32 MiB when absent. */
  readonly policyFileLimit?: number;
  /**
   * Whether an approval may come without a record, as the reference's web page sends it: then the record stands as it was
   * offered. The interface requires one, so `false` when absent.
   */
  readonly approveWithoutBody?: boolean;
  /** Realm of the Bearer challenge; `blockwork` when absent. */
  readonly realm?: string;
  /** Where failures are told in full; standard error when absent. */
  readonly logger?: Logger;
  /** Makes the ids of requests; random UUIDs when absent. */
  readonly ids?: Ids;
}

export interface ResolvedOptions {
  readonly authenticate: (ctx: Context) => Promise<Caller>;
  readonly prefix: string;
  readonly bodyLimit: number;
  readonly policyFileLimit: number;
  readonly approveWithoutBody: boolean;
  readonly realm: string;
  readonly logger: Logger;
  readonly ids: Ids;
}

export function resolveOptions(options: RouterOptions): ResolvedOptions {
  const prefix = options.prefix ?? DEFAULT_PREFIX;
  if (!/^(\/[\w.~-]+)*$/.test(prefix)) {
    throw invalidOption(
      'prefix',
      'it must be empty, or begin with a slash and not end with one, for instance "/api/v1"',
    );
  }
  return {
    authenticate: authenticateOf(options),
    prefix,
    bodyLimit: bytes('bodyLimit', options.bodyLimit ?? 1024 * 1024),
    policyFileLimit: bytes('policyFileLimit', options.policyFileLimit ?? 32 * 1024 * 1024),
    approveWithoutBody: options.approveWithoutBody ?? false,
    realm: options.realm ?? 'blockwork',
    logger: options.logger ?? consoleLogger({ level: 'warn' }),
    ids: options.ids ?? randomIds,
  };
}

function authenticateOf({ auth, authenticate }: RouterOptions): (ctx: Context) => Promise<Caller> {
  if (authenticate !== undefined) {
    if (auth !== undefined) throw invalidOption('authenticate', 'it takes the place of auth; give one of the two');
    return authenticate;
  }
  if (auth === undefined) throw invalidOption('auth', 'there is none; give the keys that tokens are verified with');
  const authenticator = auth instanceof TokenAuthenticator ? auth : new TokenAuthenticator(auth);
  return (ctx) => authenticator.authenticate(ctx);
}

function bytes(option: string, value: number): number {
  if (Number.isInteger(value) && value > 0) return value;
  throw invalidOption(option, 'it must be a whole number of bytes above 0');
}
