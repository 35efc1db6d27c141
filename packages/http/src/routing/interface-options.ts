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
import type { DocsOptions } from '../service/docs-page.js';

/** `Source` is the transport's request type. */
export interface InterfaceOptions<Source> extends LimitOptions {
  /** How Bearer tokens are verified. Pass a `TokenAuthenticator` to replace its keys later. */
  readonly auth?: TokenOptions | TokenAuthenticator;
  /**
   * Replaces `auth`: identifies the caller of a request. Throw an `AuthenticationError` for 401; any other error is
   * answered with 500.
   */
  readonly authenticate?: (request: Source) => Caller | Promise<Caller>;
  /** Path prefix of every route, `''` for none; default `/api/v1`. */
  readonly prefix?: string;
  /** Maximum size of a JSON body in bytes; default 1 MiB. */
  readonly bodyLimit?: number;
  /** Maximum size of a policy file in bytes; default 32 MiB. */
  readonly policyFileLimit?: number;
  /**
   * Whether an approval may omit the record, as the reference's web client does: the record is then taken as offered.
   * Default `false`, because the interface requires a record.
   */
  readonly approveWithoutBody?: boolean;
  /** Realm of the Bearer challenge; default `blockwork`. */
  readonly realm?: string;
  /**
   * Shows the interface at `/docs`, with Swagger UI from the folder `assets` (of swagger-ui-dist); nothing by default. With
   * `site`, a folder that `npm run docs` has built, `/docs/` is the documentation, and the interface is at `/docs/openapi`.
   */
  readonly docs?: DocsOptions;
  /**
   * Serves `/metrics` in the Prometheus text format to requests with this token as `Authorization: Bearer`; off by default. At
   * least 16 characters without spaces.
   */
  readonly metrics?: MetricsOptions;
  /** Serves the console at `/console`, from the folder `consoleAssets` of `@blockwork/console`; nothing by default. */
  readonly console?: ConsoleOptions;
  /**
   * Memory budget in bytes for bodies across all connections; beyond it, requests get 503 with `Retry-After`. Default
   * 128 MiB, or twice the larger of the other limits.
   */
  readonly bodiesLimit?: number;
  /** Access log: whether to log a line (level `info`) per request, or the logger for it; default `false`. */
  readonly accessLog?: boolean | Logger;
  /** Whether reads have an `ETag` and support conditional requests (304); default `false`. */
  readonly etags?: boolean;
  /** CORS: the origins whose pages may call; none by default. */
  readonly cors?: CorsOptions;
  /**
   * Heartbeat interval of event streams in ms, at which the caller's token is also re-checked; default 15 s. A stream ends with its
   * token in any case.
   */
  readonly eventHeartbeat?: number;
  /** Logs failures with their causes; by default warnings and errors go to standard error. */
  readonly logger?: Logger;
  /** Creates request ids; random UUIDs by default. */
  readonly ids?: Ids;
  /** Default: the system clock. */
  readonly clock?: Clock;
}

/** `tokenId`: the `jti` of the token, if any. */
export type Identified = Pick<VerifiedToken, 'caller' | 'tokenId'>;

export interface MetricsOptions {
  readonly token: string;
}

export interface ConsoleOptions {
  readonly assets: string;
  /**
   * Exchanges a one-time code for tokens, or returns `null`; used by opening `/console/#code=...` on this machine. For servers
   * on a loopback address with a generated secret; by default users paste a token.
   */
  readonly signIn?: RedeemCode;
  /** Sign-in to the console at an OpenID provider, whose tokens `auth` verifies; by default users paste a token. */
  readonly provider?: ConsoleProvider;
}

type Rest = Required<
  Omit<
    InterfaceOptions<never>,
    'auth' | 'authenticate' | 'docs' | 'metrics' | 'console' | 'accessLog' | 'cors' | keyof LimitOptions
  >
>;

export interface ResolvedOptions<Source> extends Rest {
  readonly docs: DocsOptions | null;
  readonly metrics: MetricsOptions | null;
  readonly console: ConsoleOptions | null;
  readonly accessLog: AccessLog | null;
  readonly cors: CorsOptions | null;
  readonly limits: LimitOptions;
  readonly identify: (request: HttpRequest<Source>) => Promise<Identified>;
  /** Remaining validity of the caller's credentials in ms. Rejects as `identify`. */
  readonly validFor: (request: HttpRequest<Source>) => Promise<number>;
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
  docs: z.strictObject({ assets: z.string(), site: z.string().optional() }),
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

/** From validated options. `authenticator` creates the token authenticator. */
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

function accessLogOf(option: boolean | Logger = false, logger: Logger, clock: Clock): AccessLog | null {
  return option === false ? null : new AccessLog(option === true ? logger : option, clock);
}

function bodiesLimitOf(option: number | undefined, largest: number): number {
  if (option === undefined) return Math.max(defaultLimits.bodiesLimit, 2 * largest);
  if (option < largest)
    throw invalidOption('bodiesLimit', `it must be at least ${largest}, as one body may be as large`);
  return option;
}

function identification<Source>(
  { auth, authenticate }: InterfaceOptions<Source>,
  authenticator: (options: TokenOptions) => TokenAuthenticator,
): Pick<ResolvedOptions<Source>, 'identify' | 'validFor'> {
  if (authenticate !== undefined) {
    if (auth !== undefined) throw invalidOption('authenticate', 'it replaces auth; pass one of the two');
    return {
      identify: async ({ source }) => ({ caller: await authenticate(source) }),
      validFor: async ({ source }) => {
        await authenticate(source);
        return Infinity;
      },
    };
  }
  if (auth === undefined) throw invalidOption('auth', 'it is missing; pass the keys that tokens are verified with');
  const tokens = auth instanceof TokenAuthenticator ? auth : authenticator(auth);
  return {
    identify: (request) => tokens.verify(request.header('authorization')),
    validFor: (request) => tokens.validFor(request.header('authorization')),
  };
}
