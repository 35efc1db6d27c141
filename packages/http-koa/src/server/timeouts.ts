/** Timeouts of the server. */
import { invalidOption, optionTypes } from '@blockwork/core/adapter';
import type { OptionShape } from '@blockwork/core/adapter';

/** All in milliseconds. */
export interface TimeoutOptions {
  /** For receiving a whole request; default 60 s. */
  readonly requestTimeout?: number;
  /** For receiving the headers of a request; default 15 s. */
  readonly headersTimeout?: number;
  /**
   * For the next request on a connection; default 72 s. Longer than the usual 60 s of load balancers: if the server
   * closed first, a request could be sent on a connection that has just been closed.
   */
  readonly keepAliveTimeout?: number;
  /**
   * On shutdown, the delay between failing `/readyz` and closing the port, so that load balancers notice in time.
   * Default 0.
   */
  readonly drainTime?: number;
  /** For requests in progress on shutdown, before their connections are cut; default 10 s. */
  readonly closeTimeout?: number;
}

export const defaultTimeouts: Required<TimeoutOptions> = {
  requestTimeout: 60_000,
  headersTimeout: 15_000,
  keepAliveTimeout: 72_000,
  drainTime: 0,
  closeTimeout: 10_000,
};

/** Node reads 0 as "no timeout". */
const milliseconds = optionTypes.milliseconds(1);

export const timeoutShape: OptionShape<TimeoutOptions> = {
  requestTimeout: milliseconds,
  headersTimeout: milliseconds,
  keepAliveTimeout: milliseconds,
  drainTime: optionTypes.milliseconds(0),
  closeTimeout: milliseconds,
};

/** From validated options. */
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
