/** Stop signals: the first requests a graceful shutdown, a later one ends the process at once. */
import type { StopListeners } from './watchdog/watchdog.js';

/** npm forwards a Ctrl-C that the terminal has already sent: one keystroke gives two signals, moments apart. */
const oneKeyStrokeMs = 1000;
const signals = ['SIGINT', 'SIGTERM'] as const;

let first: number | undefined;
let requested: ((signal: NodeJS.Signals) => void) | undefined;

function listen(signal: NodeJS.Signals): void {
  if (first === undefined) {
    first = performance.now();
    requested?.(signal);
  } else if (performance.now() - first > oneKeyStrokeMs) {
    process.stderr.write('Stopped immediately on the second signal. All acknowledged changes are on disk.\n');
    process.exit(130);
  }
}

/** Resolves with the first SIGINT or SIGTERM. After that, another one ends the process at once. */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    requested = resolve;
    stopListeners.hold();
  });
}

/** Without listeners, the system ends the process on a signal, also where its event loop is blocked. */
export const stopListeners: StopListeners = {
  release(): void {
    for (const signal of signals) process.off(signal, listen);
  },
  hold(): void {
    stopListeners.release();
    for (const signal of signals) process.on(signal, listen);
  },
};
