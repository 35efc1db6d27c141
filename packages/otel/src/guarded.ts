/** Guards listeners of diagnostics channels, where an exception would crash the process. */
import { diag } from '@opentelemetry/api';

/** Reports exceptions to OpenTelemetry's diagnostics logger instead of throwing them. */
export const guarded =
  <About>(listener: (about: About) => void): ((about: About) => void) =>
  (about) => {
    try {
      listener(about);
    } catch (error) {
      diag.error('Telemetry of Blockwork failed.', error);
    }
  };
