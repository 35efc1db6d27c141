/** `@blockwork/cli`: the command line, for the program `blockwork` and for programs that run its commands themselves. */
import { once } from 'node:events';
import { exitCodes } from './line/exit-codes.js';
import { OutputLostError } from './line/failure.js';
import type { Io } from './line/io.js';
import { runCommandLine } from './line/program.js';
import { stopListeners, stopSignal } from './serve/stop-signal.js';

export { commands } from './commands.js';
export { runCommandLine } from './line/program.js';
export type { ExitCode } from './line/exit-codes.js';
export type { Io } from './line/io.js';

/**
 * Runs the arguments and streams of this process, and sets its exit code; the process ends once its output is flushed. A
 * server continues without its output, for example on a full disk.
 */
export async function main(argv: readonly string[] = process.argv.slice(2)): Promise<void> {
  const output = { isLost: false };
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || output.isLost) return;
    output.isLost = true;
    process.exitCode = exitCodes.unreadable;
    process.stderr.write(`blockwork: Standard output cannot be written (${error.code ?? error.message}).\n`);
  });
  const exitCode = await runCommandLine(argv, processIo());
  if (!output.isLost) process.exitCode = exitCode;
}

function processIo(): Io {
  const { stdin, stdout, stderr, env } = process;
  return {
    print: (text) => void stdout.write(text),
    write: async (text) => {
      if (stdout.write(text)) return;
      await once(stdout, 'drain').catch((cause: unknown) => {
        throw new OutputLostError('Standard output cannot be written.', { cause });
      });
    },
    printError: (text) => void stderr.write(text),
    input: stdin as AsyncIterable<Uint8Array>,
    env,
    isInteractive: stderr.isTTY,
    stopped: stopSignal,
    watch: async (settings) => (await import('./serve/watchdog/watchdog.js')).startWatchdog(settings, stopListeners),
  };
}
