/** A process with a watchdog, which blocks its event loop in the way that it is told, or stops when it is asked to. */
import { pathToFileURL } from 'node:url';
import { stopListeners, stopSignal } from '../../src/serve/stop-signal.js';
import { startWatchdog } from '../../src/serve/watchdog/watchdog.js';

const [thread = '', endMs = '0'] = process.argv.slice(2);

function promisesWithoutEnd(): void {
  void Promise.resolve().then(promisesWithoutEnd);
}

const ways: Readonly<Record<string, () => void>> = {
  callsWithoutEnd: () => {
    for (;;) Math.random();
  },
  promisesWithoutEnd,
  briefly: () => {
    const end = performance.now() + 1_000;
    while (performance.now() < end) Math.random();
  },
};

const settings = { blockedMs: 500, endMs: Number(endMs), format: 'plain' } as const;
const unwatch = await startWatchdog(settings, stopListeners, pathToFileURL(thread));
process.on('message', (command) => ways[String(command)]?.());
process.send?.('ready');
await stopSignal();
await unwatch();
await unwatch();
process.disconnect();
