/** How long a server waits: for the parts of a request, between requests, and when it closes. */
import { invalidOption } from './invalid-option.js';

/** All in milliseconds. */
export interface TimeoutOptions {
  /** For a whole request to come in; 60 s when absent. */
  readonly requestTimeout?: number;
  /** For the headers of a request to come in; 15 s when absent. */
  readonly headersTimeout?: number;
  /** For the next request on a connection; 5 s when absent. */
  readonly keepAliveTimeout?: number;
  /** For requests under way when the server closes, before their connections are cut; 10 s when absent. */
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
    // Node takes 0 for "wait for ever", which nobody should get by accident.
    if (!Number.isInteger(value) || value < 1) {
      throw invalidOption(option, 'it must be a whole number of milliseconds above 0');
    }
  }
  if (timeouts.headersTimeout > timeouts.requestTimeout) {
    throw invalidOption('headersTimeout', 'it must not be longer than requestTimeout, which covers the headers too');
  }
  return timeouts;
}
