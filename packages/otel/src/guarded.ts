/** What listens must not fail: an exception in a listener of a diagnostics channel would end the process. */
import { diag } from '@opentelemetry/api';

/** Reports exceptions to the diagnostics of OpenTelemetry, and goes on. */
export const guarded =
  <Arguments extends unknown[]>(listener: (...about: Arguments) => void): ((...about: Arguments) => void) =>
  (...about) => {
    try {
      listener(...about);
    } catch (error) {
      diag.error('Telemetry of Blockwork failed.', error);
    }
  };
