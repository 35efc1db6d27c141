/** Stop signals: the first requests a graceful shutdown, a later one ends the process at once. */

/** npm forwards a Ctrl-C that the terminal has already sent: one keystroke gives two signals, moments apart. */
const oneKeyStrokeMs = 1000;

/** Resolves with the first SIGINT or SIGTERM. After that, another one ends the process at once. */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let first: number | undefined;
    const listen = (signal: NodeJS.Signals): void => {
      if (first === undefined) {
        first = performance.now();
        resolve(signal);
      } else if (performance.now() - first > oneKeyStrokeMs) {
        process.stderr.write('Stopped immediately on the second signal. All acknowledged changes are on disk.\n');
        process.exit(130);
      }
    };
    process.on('SIGINT', listen);
    process.on('SIGTERM', listen);
  });
}
