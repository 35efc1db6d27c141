/** Timeouts of the server. */
import { invalidOption } from '../options.js';

/** All in milliseconds. */
export interface TimeoutOptions {
  /** For receiving a whole request; default 60 s. */
  readonly requestTimeout?: number;
  /** For receiving the headers of a request; default 15 s. */
  readonly headersTimeout?: number;
  /** For the next request on a connection; default 5 s. */
  readonly keepAliveTimeout?: number;
  /** For requests under way when the server closes, before their connections are cut; default 10 s. */
  readonly closeTimeout?: number;
}

export function resolveTimeouts(options: TimeoutOptions): Required<TimeoutOptions> {
  const timeouts = {
    requestTimeout: options.requestTimeout ?? 60_000,
    headersTimeout: options.headersTimeout ?? 15_000,
    keepAliveTimeout: options.keepAliveTimeout ?? 5_000,
    closeTimeout: options.closeTimeout ?? 10_000,
  };
  for (const [option, value] of Object.entries(timeouts)) {
    // Node reads 0 as "no timeout".
    if (!Number.isInteger(value) || value < 1) {
      throw invalidOption(option, 'it must be a whole number of milliseconds above 0');
    }
  }
  if (timeouts.headersTimeout > timeouts.requestTimeout) {
    throw invalidOption('headersTimeout', 'it must not exceed requestTimeout, which includes the headers');
  }
  return timeouts;
}
