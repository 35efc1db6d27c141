/** The options of the link, their validation and defaults. */
import { silentLogger } from '@blockwork/core';
import { MESSAGE_BYTES, optionTypes, parseOptions } from '@blockwork/core/adapter';
import type { OptionsOf, ResolvedOptions as Resolved } from '@blockwork/core/adapter';
import type { NodeConnectionOptions } from '@nats-io/transport-node';

const DAY = 86_400_000;
/** A century. The server counts nanoseconds in 64 bits, which hold three. */
const MAX_AGE = 36_525 * DAY;

const shape = {
  /** `host:port` of one or more servers of a cluster; default `127.0.0.1:4222`. */
  servers: optionTypes
    .satisfying<string | readonly string[]>(
      (value) => isText(value) || (Array.isArray(value) && value.length > 0 && value.every(isText)),
      'must be "host:port" or a list of them',
    )
    .default('127.0.0.1:4222'),
  /** Other options of the NATS client: credentials, TLS, names, timeouts. */
  connection: optionTypes.as<Omit<NodeConnectionOptions, 'servers'>>(optionTypes.object).default({}),
  /** Name of the stream and first token of its subjects; created if missing. Default `blockwork`. */
  stream: optionTypes
    .satisfying<string>(
      (value) => typeof value === 'string' && /^[\w-]{1,100}$/.test(value),
      'must be 1 to 100 letters, digits, underscores and hyphens',
    )
    .default('blockwork'),
  /** Milliseconds that a new stream keeps messages, 0 for no limit; default 30 days. */
  keepMs: optionTypes.wholeNumber(0, MAX_AGE).default(30 * DAY),
  /**
   * Maximum size of a new stream in bytes, beyond which the oldest messages are removed; default 0, which means no
   * limit.
   */
  keepBytes: optionTypes.wholeNumber(0).default(0),
  /** Replicas of a new stream in a cluster, 1 to 5; default 1. */
  replicas: optionTypes.wholeNumber(1, 5).default(1),
  /** Maximum size of a message in bytes, also limited by the server's `max_payload`; default 1 MiB. */
  messageBytes: optionTypes.wholeNumber(1).default(MESSAGE_BYTES),
  /**
   * Maximum size in bytes of a new dead-letter stream for unreadable messages, beyond which the oldest are removed;
   * default 16 MiB.
   */
  deadLetterBytes: optionTypes.wholeNumber(1).default(16 * 1024 * 1024),
  /**
   * Milliseconds between checks for a stream that was recreated or rolled back, in addition to those after each
   * reconnect; default 30,000.
   */
  checkMs: optionTypes.milliseconds(1).default(30_000),
  /** Milliseconds that a new stream remembers idempotency keys; default 10 minutes. */
  rememberKeysMs: optionTypes.wholeNumber(100, MAX_AGE).default(600_000),
  /** Milliseconds to wait for the server to acknowledge a message; default 5000. */
  publishMs: optionTypes.milliseconds(1).default(5000),
  /** Maximum number of messages of a subscription that are delivered concurrently; default 64. */
  inFlight: optionTypes.wholeNumber(1, 100_000).default(64),
  /** Minimum and maximum of the exponential backoff between deliveries of a message, in milliseconds; default [50, 10000]. */
  retryMs: optionTypes.backoff.default([50, 10_000]),
  /** Logs failed deliveries, lost connections and lost messages; silent by default. */
  logger: optionTypes.logger.default(() => silentLogger),
};

export type NatsLinkOptions = OptionsOf<typeof shape>;

export type ResolvedOptions = Omit<Resolved<typeof shape>, 'servers'> & { readonly servers: string[] };

/** Throws `OPTION_INVALID`. */
export function resolveOptions(options: NatsLinkOptions): ResolvedOptions {
  const { servers, ...resolved } = parseOptions(options, shape, '', 'openNatsLink');
  return { ...resolved, servers: [servers].flat() };
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
