/** The options of the link, their validation and defaults. */
import { silentLogger } from '@blockwork/core';
import type { Logger } from '@blockwork/core';
import { checkOptions, MESSAGE_BYTES, optionTypes } from '@blockwork/core/adapter';
import type { OptionShape } from '@blockwork/core/adapter';
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
  /**
   * Maximum size of a new stream in bytes, beyond which the oldest messages are removed; default 0, which means no
   * limit.
   */
  readonly keepBytes?: number;
  /** Replicas of a new stream in a cluster, 1 to 5; default 1. */
  readonly replicas?: number;
  /** Maximum size of a message in bytes, also limited by the server's `max_payload`; default 1 MiB. */
  readonly messageBytes?: number;
  /**
   * Maximum size in bytes of a new dead-letter stream for unreadable messages, beyond which the oldest are removed;
   * default 16 MiB.
   */
  readonly deadLetterBytes?: number;
  /**
   * Milliseconds between checks for a stream that was recreated or rolled back, in addition to those after each
   * reconnect; default 30,000.
   */
  readonly checkMs?: number;
  /** Milliseconds that a new stream remembers idempotency keys; default 10 minutes. */
  readonly rememberKeysMs?: number;
  /** Milliseconds to wait for the server to acknowledge a message; default 5000. */
  readonly publishMs?: number;
  /** Maximum number of messages of a subscription that are delivered concurrently; default 64. */
  readonly inFlight?: number;
  /** Minimum and maximum of the exponential backoff between deliveries of a message, in milliseconds; default [50, 10000]. */
  readonly retryMs?: readonly [number, number];
  /** Logs failed deliveries, lost connections and lost messages; silent by default. */
  readonly logger?: Logger;
}

export interface ResolvedOptions extends Required<Omit<NatsLinkOptions, 'servers'>> {
  readonly servers: string[];
}

const DAY = 86_400_000;
/** A century. The server counts nanoseconds in 64 bits, which hold three. */
const MAX_AGE = 36_525 * DAY;

const shape: OptionShape<NatsLinkOptions> = {
  servers: optionTypes.satisfying(
    (value) => isText(value) || (Array.isArray(value) && value.length > 0 && value.every(isText)),
    'must be "host:port" or a list of them',
  ),
  connection: optionTypes.object,
  stream: optionTypes.satisfying(
    (value) => typeof value === 'string' && /^[\w-]{1,100}$/.test(value),
    'must be 1 to 100 letters, digits, underscores and hyphens',
  ),
  keepMs: optionTypes.wholeNumber(0, MAX_AGE),
  keepBytes: optionTypes.wholeNumber(0),
  replicas: optionTypes.wholeNumber(1, 5),
  messageBytes: optionTypes.wholeNumber(1),
  deadLetterBytes: optionTypes.wholeNumber(1),
  checkMs: optionTypes.milliseconds(1),
  rememberKeysMs: optionTypes.wholeNumber(100, MAX_AGE),
  publishMs: optionTypes.milliseconds(1),
  inFlight: optionTypes.wholeNumber(1, 100_000),
  retryMs: optionTypes.backoff,
  logger: optionTypes.logger,
};

/** Throws `OPTION_INVALID`. */
export function resolveOptions(options: NatsLinkOptions): ResolvedOptions {
  checkOptions(options, shape, '', 'openNatsLink');
  const { servers = '127.0.0.1:4222' } = options;
  return {
    servers: [servers].flat(),
    connection: options.connection ?? {},
    stream: options.stream ?? 'blockwork',
    keepMs: options.keepMs ?? 30 * DAY,
    keepBytes: options.keepBytes ?? 0,
    replicas: options.replicas ?? 1,
    messageBytes: options.messageBytes ?? MESSAGE_BYTES,
    deadLetterBytes: options.deadLetterBytes ?? 16 * 1024 * 1024,
    checkMs: options.checkMs ?? 30_000,
    rememberKeysMs: options.rememberKeysMs ?? 600_000,
    publishMs: options.publishMs ?? 5000,
    inFlight: options.inFlight ?? 64,
    retryMs: options.retryMs ?? [50, 10_000],
    logger: options.logger ?? silentLogger,
  };
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
