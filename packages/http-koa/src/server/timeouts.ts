/** Timeouts of the server. */
import { invalidOption } from '@blockwork/core/adapter';
import type { OptionShape } from '@blockwork/core/adapter';
import { z } from 'zod';

/** All in milliseconds. */
export interface TimeoutOptions {
  /** For receiving a whole request; default 60 s. */
  readonly requestTimeout?: number;
  /** For receiving the headers of a request; default 15 s. */
  readonly headersTimeout?: number;
  /**
   * For the next request on a connection; default 72 s. Load balancers keep theirs for up to 60 s unless they are told otherwise: where
   * the server closes first, a request may be on its way to a connection that has just ended.
   */
  readonly keepAliveTimeout?: number;
  /**
   * Between the moment from which `/readyz` fails and the end of new connections, when the server closes: load balancers
   * see it in time. Default 0.
   */
  readonly drainTime?: number;
  /** For requests under way when the server closes, before their connections are cut; default 10 s. */
  readonly closeTimeout?: number;
}

export const defaultTimeouts: Required<TimeoutOptions> = {
  requestTimeout: 60_000,
  headersTimeout: 15_000,
  keepAliveTimeout: 72_000,
  drainTime: 0,
  closeTimeout: 10_000,
};

/** Node reads 0 as "no timeout", and fires timers beyond 2 ** 31 - 1 at once. */
const range = 'must be a whole number of milliseconds from 1 to 2147483647';
const milliseconds = z.int(range).min(1, range).max(2_147_483_647, range);

const drainRange = 'must be a whole number of milliseconds from 0 to 2147483647';

export const timeoutShape: OptionShape<TimeoutOptions> = {
  requestTimeout: milliseconds,
  headersTimeout: milliseconds,
  keepAliveTimeout: milliseconds,
  drainTime: z.int(drainRange).min(0, drainRange).max(2_147_483_647, drainRange),
  closeTimeout: milliseconds,
};

/** Of options that were checked. */
export function resolveTimeouts(options: TimeoutOptions): Required<TimeoutOptions> {
  const timeouts = {
    requestTimeout: options.requestTimeout ?? defaultTimeouts.requestTimeout,
    headersTimeout: options.headersTimeout ?? defaultTimeouts.headersTimeout,
    keepAliveTimeout: options.keepAliveTimeout ?? defaultTimeouts.keepAliveTimeout,
    drainTime: options.drainTime ?? defaultTimeouts.drainTime,
    closeTimeout: options.closeTimeout ?? defaultTimeouts.closeTimeout,
  };
  if (timeouts.headersTimeout > timeouts.requestTimeout) {
    throw invalidOption('headersTimeout', 'it must not exceed requestTimeout, which includes the headers');
  }
  return timeouts;
}
