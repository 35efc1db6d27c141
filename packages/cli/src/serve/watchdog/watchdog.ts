/**
 * A thread that notices when the event loop of the server is blocked, which the loop itself cannot: it logs where, and lets
 * a stop signal end the process.
 */
import { url as debuggerUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';
import { BEAT_MS, BEATS, BLOCKED, IS_DEBUGGED, type WatchdogData, type WatchdogSettings } from './beat.js';
import { program } from './program.js';

/** What stops a server by signal: listeners, which a blocked loop never calls. */
export interface StopListeners {
  /** From now on a signal ends the process at once. */
  release(): void;
  /** Undoes `release`. */
  hold(): void;
}

/** Resolves once the thread watches. The returned function stops it, and may be called again. */
export async function startWatchdog(
  settings: WatchdogSettings,
  stop: StopListeners,
  file = program,
): Promise<() => Promise<void>> {
  const shared = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
  const numbers = new Int32Array(shared);
  let isReleased = false;
  const name = Symbol.for(BLOCKED);
  Object.assign(globalThis, {
    [name]: () => {
      isReleased = true;
      stop.release();
    },
  });
  const beat = (): void => {
    Atomics.add(numbers, BEATS, 1);
    Atomics.store(numbers, IS_DEBUGGED, debuggerUrl() === undefined ? 0 : 1);
    if (isReleased) stop.hold();
    isReleased = false;
  };
  const timer = setInterval(beat, BEAT_MS).unref();
  const workerData: WatchdogData = { ...settings, shared };
  const thread = new Worker(file, { workerData, name: 'watchdog', stdout: false, stderr: false });
  thread.unref();
  await new Promise<void>((resolve, reject) => {
    thread.once('message', () => resolve());
    thread.once('error', reject);
  });
  return async () => {
    clearInterval(timer);
    Reflect.deleteProperty(globalThis, name);
    await thread.terminate();
  };
}
