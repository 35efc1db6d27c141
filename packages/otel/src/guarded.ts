/** What listens must not fail: an exception in a listener of a diagnostics channel would end the process. */
import { diag } from '@opentelemetry/api';

/** Reports exceptions to the diagnostics of OpenTelemetry, and goes on. */
export const guarded =
  <About>(listener: (about: About) => void): ((about: About) => void) =>
  (about) => {
    try {
      listener(about);
    } catch (error) {
      diag.error('Telemetry of Blockwork failed.', error);
    }
  };
