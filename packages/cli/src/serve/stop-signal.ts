/** How the process is asked to stop: the first signal is a request, a later one an order. */

/** npm passes a Ctrl-C on that the terminal has already sent: two signals of one key stroke, a moment apart. */
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
        process.stderr.write('Stopped at once, as asked twice. What was acknowledged is on the disk.\n');
        process.exit(130);
      }
    };
    process.on('SIGINT', listen);
    process.on('SIGTERM', listen);
  });
}
