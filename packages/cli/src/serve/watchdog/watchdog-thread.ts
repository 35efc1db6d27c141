/** The thread of the watchdog: looks at the beat of the server's event loop, and reports where the loop is blocked. */
import { consoleLogger } from '@blockwork/core';
import { writeSync } from 'node:fs';
import { type Debugger, Session } from 'node:inspector';
import { parentPort, workerData } from 'node:worker_threads';
import { BEAT_MS, BEATS, BLOCKED, IS_DEBUGGED, type WatchdogData } from './beat.js';

const { shared, blockedMs, endMs, format } = workerData as WatchdogData;
const numbers = new Int32Array(shared);
const STANDARD_ERROR = 2;
/** The streams of this thread go through the loop that is blocked. */
const logger = consoleLogger({ format, write: (line) => void writeSync(STANDARD_ERROR, `${line}\n`) });
/** Native code, such as the parsing of JSON, cannot be interrupted: then the stack is not waited for. */
const PAUSE_MS = 2_000;
const FRAMES_AT_MOST = 20;

let lastBeat = Atomics.load(numbers, BEATS);
/** Looks without a beat. Time in which the whole process was suspended has none. */
let silent = 0;
let report: Report | null = null;

setInterval(() => {
  const beat = Atomics.load(numbers, BEATS);
  if (beat !== lastBeat || Atomics.load(numbers, IS_DEBUGGED) !== 0) {
    report?.end(silent * BEAT_MS);
    [lastBeat, silent, report] = [beat, 0, null];
    return;
  }
  silent += 1;
  const blocked = silent * BEAT_MS;
  if (blocked >= blockedMs) report ??= new Report(blocked);
  if (endMs > 0 && blocked >= endMs) {
    logger.error(
      'The process ends, because its event loop was blocked for too long. Acknowledged changes are on disk.',
    );
    process.kill(process.pid, 'SIGKILL');
  }
}, BEAT_MS);
parentPort?.postMessage('watching');

/** The report of one blocked loop. Interrupts the server's thread for the moment that it takes to read its stack. */
class Report {
  readonly #session = new Session();
  readonly #scripts = new Map<string, string>();
  readonly #giveUp: NodeJS.Timeout;

  constructor(private readonly blocked: number) {
    const session = this.#session;
    session.connectToMainThread();
    session.on('Debugger.scriptParsed', ({ params }) => this.#scripts.set(params.scriptId, params.url));
    session.on('Debugger.paused', ({ params }) => this.#paused(params.callFrames));
    // The answers come from the blocked thread, too: they are not waited for.
    session.post('Debugger.enable');
    session.post('Debugger.pause');
    this.#giveUp = setTimeout(() => this.#log('not known yet: the loop is in native code'), PAUSE_MS);
  }

  end(blockedMs: number): void {
    clearTimeout(this.#giveUp);
    this.#session.post('Debugger.disable');
    this.#session.disconnect();
    logger.warn('The event loop runs again.', { blockedMs });
  }

  #paused(frames: readonly Debugger.CallFrame[]): void {
    clearTimeout(this.#giveUp);
    const [top] = frames;
    // What is logged is true once the server has answered.
    const answered = (): void => {
      this.#session.post('Debugger.resume');
      this.#log(frames.slice(0, FRAMES_AT_MOST).map((frame) => this.#textOf(frame)));
    };
    if (top === undefined) {
      answered();
      return;
    }
    const expression = `globalThis[Symbol.for(${JSON.stringify(BLOCKED)})]?.()`;
    this.#session.post('Debugger.evaluateOnCallFrame', { callFrameId: top.callFrameId, expression }, answered);
  }

  #log(stack: readonly string[] | string): void {
    const message = 'The event loop is blocked: no request is answered and no timer runs.';
    logger.error(message, { blockedMs: this.blocked, stack });
  }

  #textOf({ functionName, location, url }: Debugger.CallFrame): string {
    const file = url === '' ? (this.#scripts.get(location.scriptId) ?? '') : url;
    const name = functionName === '' ? '(anonymous)' : functionName;
    return `${name} (${file}:${String(location.lineNumber + 1)}:${String((location.columnNumber ?? 0) + 1)})`;
  }
}
