/** Options of the link, checked and with their defaults. */
import { BlockworkError, silentLogger } from '@blockwork/core';
import type { Logger } from '@blockwork/core';
import type { NodeConnectionOptions } from '@nats-io/transport-node';

export interface NatsLinkOptions {
  /** `host:port` of one or more servers of a cluster; default `127.0.0.1:4222`. */
  readonly servers?: string | readonly string[];
  /** Other options of the NATS client: credentials, TLS, names, timeouts. */
  readonly connection?: Omit<NodeConnectionOptions, 'servers'>;
  /** Name of the stream and first token of its subjects; created if missing. Default `blockwork`. */
  readonly stream?: string;
  /** Milliseconds that a new stream keeps messages, 0 for no limit; default 30 days. */
  readonly keepMs?: number;
  /** Milliseconds that a new stream remembers idempotency keys; default 10 minutes. */
  readonly rememberKeysMs?: number;
  /** Milliseconds to wait for the server to acknowledge a message; default 5000. */
  readonly publishMs?: number;
  /** Messages of a subscription that are delivered concurrently; default 64. */
  readonly inFlight?: number;
  /** Minimum and maximum of the exponential backoff between deliveries of a message, in milliseconds; default [50, 10000]. */
  readonly retryMs?: readonly [number, number];
  /** Receives failed deliveries; silent by default. */
  readonly logger?: Logger;
}

export interface ResolvedOptions extends Required<Omit<NatsLinkOptions, 'servers'>> {
  readonly servers: string[];
}

const DAY = 86_400_000;
/** Longer timers of Node fire at once. */
const MAX_TIMER = 2 ** 31 - 1;
/** A century; the server counts in nanoseconds, of which 64 bits hold three. */
const MAX_AGE = 36_525 * DAY;

/** What is wrong with a value, continuing "it ..."; `null` if nothing is. */
type Check = (value: unknown) => string | null;

const checks: Readonly<Record<keyof NatsLinkOptions, Check>> = {
  servers: (value) =>
    isText(value) || (Array.isArray(value) && value.length > 0 && value.every(isText))
      ? null
      : 'must be "host:port" or a list of them',
  connection: (value) => (isObject(value) ? null : 'must be an object'),
  stream: (value) =>
    typeof value === 'string' && /^[\w-]{1,100}$/.test(value)
      ? null
      : 'must be 1 to 100 letters, digits, underscores and hyphens',
  keepMs: wholeNumber(0, MAX_AGE),
  rememberKeysMs: wholeNumber(100, MAX_AGE),
  publishMs: wholeNumber(1, MAX_TIMER),
  inFlight: wholeNumber(1, 100_000),
  retryMs: (value) =>
    isBackoff(value) ? null : `must be two whole numbers from 1 to ${String(MAX_TIMER)}, the smaller one first`,
  logger: (value) =>
    isObject(value) && ['debug', 'info', 'warn', 'error'].every((name) => typeof value[name] === 'function')
      ? null
      : 'must have the methods debug, info, warn, error',
};

/** Throws `OPTION_INVALID`. */
export function resolveOptions(options: NatsLinkOptions): ResolvedOptions {
  assertValid(options);
  const { servers = '127.0.0.1:4222' } = options;
  return {
    servers: [servers].flat(),
    connection: options.connection ?? {},
    stream: options.stream ?? 'blockwork',
    keepMs: options.keepMs ?? 30 * DAY,
    rememberKeysMs: options.rememberKeysMs ?? 600_000,
    publishMs: options.publishMs ?? 5000,
    inFlight: options.inFlight ?? 64,
    retryMs: options.retryMs ?? [50, 10_000],
    logger: options.logger ?? silentLogger,
  };
}

function assertValid(options: unknown): void {
  if (!isObject(options)) throw invalid('options', 'they must be an object');
  for (const [name, value] of Object.entries(options)) {
    if (!isOption(name)) throw invalid(name, `it is not one of ${Object.keys(checks).join(', ')}`);
    const problem = value === undefined ? null : checks[name](value);
    if (problem !== null) throw invalid(name, `it ${problem}`);
  }
}

function wholeNumber(least: number, most: number): Check {
  return (value) =>
    isWholeNumber(value, least, most) ? null : `must be a whole number from ${String(least)} to ${String(most)}`;
}

const isOption = (name: string): name is keyof NatsLinkOptions => Object.hasOwn(checks, name);

const isWholeNumber = (value: unknown, least: number, most: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

function isBackoff(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [first, most] = value as unknown[];
  return isWholeNumber(first, 1, MAX_TIMER) && isWholeNumber(most, first, MAX_TIMER);
}

const invalid = (option: string, reason: string): BlockworkError =>
  new BlockworkError('OPTION_INVALID', { facts: { option, reason } });
