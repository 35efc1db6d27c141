/** Options of the interface, with their defaults. */
import { DEFAULT_PREFIX } from '@blockwork/contract';
import { consoleLogger, randomIds, systemClock } from '@blockwork/core';
import type { Caller, Clock, Ids, Logger } from '@blockwork/core';
import { invalidOption, optionTypes } from '@blockwork/core/adapter';
import type { OptionShape } from '@blockwork/core/adapter';
import { z } from 'zod';
import { TokenAuthenticator } from '../auth/token-authenticator.js';
import type { TokenOptions } from '../auth/token-authenticator.js';
import type { VerifiedToken } from '../auth/claims.js';
import { AccessLog } from '../answer/access-log.js';
import { corsShape } from '../answer/cors.js';
import type { CorsOptions } from '../answer/cors.js';
import { defaultLimits } from '../limits/default-limits.js';
import { limitShape } from '../limits/request-limits.js';
import type { LimitOptions } from '../limits/request-limits.js';
import type { HttpRequest } from '../request/http-request.js';
import { consoleProviderShape, type ConsoleProvider } from '../service/console-provider.js';
import type { RedeemCode } from '../service/console-sign-in.js';

/** `Source` is the request of the transport. */
export interface InterfaceOptions<Source> extends LimitOptions {
  /** How Bearer tokens are verified. Pass a `TokenAuthenticator` to replace its keys later. */
  readonly auth?: TokenOptions | TokenAuthenticator;
  /**
   * Replaces `auth`: identifies the caller of a request. Throw an `AuthenticationError` for 401; any other error is
   * answered with 500.
   */
  readonly authenticate?: (request: Source) => Promise<Caller>;
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
  /** Shows the interface at `/docs`, with Swagger UI from this folder (of swagger-ui-dist); nothing by default. */
  readonly docs?: { readonly assets: string };
  /**
   * Answers `/metrics` in the text format of Prometheus, to whoever sends this token as `Authorization: Bearer`; no path by default. At
   * least 16 characters without spaces.
   */
  readonly metrics?: MetricsOptions;
  /** Serves the console at `/console`, from the folder `consoleAssets` of `@blockwork/console`; nothing by default. */
  readonly console?: ConsoleOptions;
  /**
   * Bytes of all bodies in memory at a time, over all connections; beyond it, requests get 503 with `Retry-After`. Default
   * 128 MiB, or twice the larger of the other limits.
   */
  readonly bodiesLimit?: number;
  /** Whether the logger gets a line (level `info`) for each request, or another logger that gets it; default `false`. */
  readonly accessLog?: boolean | Logger;
  /** Whether reads have an `ETag`, and 304 answers what the client has; default `false`. */
  readonly etags?: boolean;
  /** Which pages of other origins may call; none by default. */
  readonly cors?: CorsOptions;
  /**
   * Milliseconds between the comments that keep a stream of events alive, and between checks that its caller is still known; default
   * 15 s. A stream ends with its token in any case.
   */
  readonly eventHeartbeat?: number;
  /** Receives failures with their causes; by default warnings and errors go to standard error. */
  readonly logger?: Logger;
  /** Creates request ids; random UUIDs by default. */
  readonly ids?: Ids;
  /** The system's by default. */
  readonly clock?: Clock;
}

/** `tokenId`: the `jti` of the token, where there is one. */
export type Identified = Pick<VerifiedToken, 'caller' | 'tokenId'>;

export interface MetricsOptions {
  readonly token: string;
}

export interface ConsoleOptions {
  readonly assets: string;
  /**
   * Gives tokens for a one-time code, and `null` for any other text: whoever opens `/console/#code=...` on this machine has them. For servers
   * on a loopback address that made their secret themselves; by default people paste a token.
   */
  readonly signIn?: RedeemCode;
  /** Lets people sign in to the console at an OpenID provider, whose tokens `auth` verifies; by default they paste a token. */
  readonly provider?: ConsoleProvider;
}

type Rest = Required<
  Omit<
    InterfaceOptions<never>,
    'auth' | 'authenticate' | 'docs' | 'metrics' | 'console' | 'accessLog' | 'cors' | keyof LimitOptions
  >
>;

export interface ResolvedOptions<Source> extends Rest {
  readonly docs: { readonly assets: string } | null;
  readonly metrics: MetricsOptions | null;
  readonly console: ConsoleOptions | null;
  readonly accessLog: AccessLog | null;
  readonly cors: CorsOptions | null;
  readonly limits: LimitOptions;
  readonly identify: (request: HttpRequest<Source>) => Promise<Identified>;
  /** Milliseconds for which the caller of the request is still known. Rejects as `identify`. */
  readonly knownFor: (request: HttpRequest<Source>) => Promise<number>;
}

const byteRange = 'must be a whole number of bytes above 0';
const bytes = z.int(byteRange).min(1, byteRange);
const beatRange = 'must be a whole number of milliseconds from 1 to 2147483647';

export const interfaceOptionShape: OptionShape<InterfaceOptions<never>> = {
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
  bodiesLimit: bytes,
  accessLog: z.union([z.boolean(), optionTypes.logger], 'must be true, false or a logger'),
  etags: z.boolean(),
  eventHeartbeat: z.int(beatRange).min(1, beatRange).max(2_147_483_647, beatRange),
  cors: corsShape,
  approveWithoutBody: z.boolean(),
  realm: z.string(),
  docs: z.strictObject({ assets: z.string() }),
  metrics: z.strictObject({
    token: z.string().regex(/^[\x21-\x7e]{16,}$/, 'must be 16 or more visible ASCII characters without spaces'),
  }),
  console: z.strictObject({
    assets: z.string(),
    signIn: optionTypes.function.optional(),
    provider: consoleProviderShape.optional(),
  }),
  logger: optionTypes.logger,
  ids: optionTypes.ids,
  clock: optionTypes.clock,
  ...limitShape,
};

/** Of options that were checked. `authenticator` makes what verifies tokens. */
export function resolveOptions<Source>(
  options: InterfaceOptions<Source>,
  authenticator: (options: TokenOptions) => TokenAuthenticator = (tokens) => new TokenAuthenticator(tokens),
): ResolvedOptions<Source> {
  const { bodyLimit = defaultLimits.bodyLimit, policyFileLimit = defaultLimits.policyFileLimit } = options;
  const { callerRates, sendsPerPolicy, clock = systemClock } = options;
  const logger = options.logger ?? consoleLogger({ level: 'warn' });
  return {
    ...identification(options, (tokens) => authenticator({ logger, ...tokens })),
    prefix: options.prefix ?? DEFAULT_PREFIX,
    bodyLimit,
    policyFileLimit,
    bodiesLimit: bodiesLimitOf(options.bodiesLimit, Math.max(bodyLimit, policyFileLimit)),
    approveWithoutBody: options.approveWithoutBody ?? false,
    realm: options.realm ?? 'blockwork',
    etags: options.etags ?? false,
    eventHeartbeat: options.eventHeartbeat ?? 15_000,
    cors: options.cors ?? null,
    docs: options.docs ?? null,
    console: options.console ?? null,
    metrics: options.metrics ?? null,
    accessLog: accessLogOf(options.accessLog, logger, clock),
    logger,
    ids: options.ids ?? randomIds,
    clock,
    limits: { ...(callerRates && { callerRates }), ...(sendsPerPolicy !== undefined && { sendsPerPolicy }) },
  };
}

function accessLogOf(given: boolean | Logger = false, logger: Logger, clock: Clock): AccessLog | null {
  return given === false ? null : new AccessLog(given === true ? logger : given, clock);
}

function bodiesLimitOf(given: number | undefined, largest: number): number {
  if (given === undefined) return Math.max(defaultLimits.bodiesLimit, 2 * largest);
  if (given < largest)
    throw invalidOption('bodiesLimit', `it must be at least ${largest}, as one body may be as large`);
  return given;
}

function identification<Source>(
  { auth, authenticate }: InterfaceOptions<Source>,
  authenticator: (options: TokenOptions) => TokenAuthenticator,
): Pick<ResolvedOptions<Source>, 'identify' | 'knownFor'> {
  if (authenticate !== undefined) {
    if (auth !== undefined) throw invalidOption('authenticate', 'it replaces auth; pass one of the two');
    return {
      identify: async ({ source }) => ({ caller: await authenticate(source) }),
      knownFor: async ({ source }) => {
        await authenticate(source);
        return Infinity;
      },
    };
  }
  if (auth === undefined) throw invalidOption('auth', 'it is missing; pass the keys that tokens are verified with');
  const tokens = auth instanceof TokenAuthenticator ? auth : authenticator(auth);
  return {
    identify: (request) => tokens.verify(request.header('authorization')),
    knownFor: (request) => tokens.validFor(request.header('authorization')),
  };
}
