/** The parts of the process a command may use: streams, environment and the stop signal. */
import type { WatchdogSettings } from '../serve/watchdog/beat.js';

export interface Io {
  /** Standard output, for the requested result. */
  readonly print: (text: string) => void;
  /** Standard output, for large results: resolves when there is room for more. Rejects with `OutputLostError`. */
  readonly write: (text: string) => Promise<void>;
  /** Standard error, for everything else. */
  readonly printError: (text: string) => void;
  readonly input: AsyncIterable<Uint8Array>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether standard error is a terminal: progress is shown only there. */
  readonly isInteractive: boolean;
  /** Resolves with the name of the signal that asks the process to stop. */
  readonly stopped: () => Promise<string>;
  /** Watches the event loop of the process from another thread, until the returned function is called. */
  readonly watch?: (settings: WatchdogSettings) => Promise<() => Promise<void>>;
}

/** Runs `work`; `report` overwrites one line on standard error, which is cleared at the end. */
export async function withProgress<T>(io: Io, work: (report: (line: string) => void) => Promise<T>): Promise<T> {
  if (!io.isInteractive) return work(() => undefined);
  const clear = '\r\u001b[2K';
  try {
    return await work((line) => {
      io.printError(`${clear}${line}`);
    });
  } finally {
    io.printError(clear);
  }
}
