/** Options of the link, with their defaults. */
import { BlockworkError, silentLogger } from '@blockwork/core';
import type { Logger } from '@blockwork/core';
import type { NodeConnectionOptions } from '@nats-io/transport-node';

export interface NatsLinkOptions {
  /** `host:port`, or several of one cluster; `127.0.0.1:4222` when absent. */
  readonly servers?: string | readonly string[];
  /** What the client of NATS takes besides: credentials, TLS, names, timeouts. */
  readonly connection?: Omit<NodeConnectionOptions, 'servers'>;
  /** The stream, and the first part of its subjects; made when it is not there. `blockwork` when absent. */
  readonly stream?: string;
  /** Milliseconds that a stream made here keeps messages; 30 days when absent, 0 for ever. */
  readonly keepMs?: number;
  /** Milliseconds that a stream made here remembers idempotency keys; 10 minutes when absent. */
  readonly rememberKeysMs?: number;
  /** Milliseconds until a publication without an answer is given up; 5000 when absent. */
  readonly publishMs?: number;
  /** Messages that a subscription hands over at the same time; 64 when absent. */
  readonly inFlight?: number;
  /** Milliseconds until a message that was not received is handed over again, at first and at most; see `DeliveryOptions`. */
  readonly retryMs?: readonly [number, number];
  readonly logger?: Logger;
}

export interface ResolvedOptions extends Required<Omit<NatsLinkOptions, 'servers' | 'retryMs'>> {
  readonly servers: string[];
  readonly retryMs: readonly [number, number] | undefined;
}

const DAY = 86_400_000;

/** Throws `OPTION_INVALID`. */
export function resolveOptions(options: NatsLinkOptions): ResolvedOptions {
  const { servers = '127.0.0.1:4222', stream = 'blockwork', logger = silentLogger } = options;
  if (!/^[\w-]{1,100}$/.test(stream)) {
    throw invalid('stream', 'it must be 1 to 100 letters, digits, underscores and hyphens');
  }
  return {
    servers: typeof servers === 'string' ? [servers] : [...servers],
    connection: options.connection ?? {},
    stream,
    keepMs: whole('keepMs', options.keepMs ?? 30 * DAY, 0),
    rememberKeysMs: whole('rememberKeysMs', options.rememberKeysMs ?? 600_000, 100),
    publishMs: whole('publishMs', options.publishMs ?? 5000, 1),
    inFlight: whole('inFlight', options.inFlight ?? 64, 1),
    retryMs: options.retryMs,
    logger,
  };
}

function whole(option: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw invalid(option, `it must be a whole number from ${String(least)}`);
}

const invalid = (option: string, reason: string): BlockworkError =>
  new BlockworkError('OPTION_INVALID', { facts: { option, reason } });
