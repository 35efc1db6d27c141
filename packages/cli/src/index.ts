/** `@blockwork/cli`: the command line, for the program `blockwork` and for programs that run its commands themselves. */
import { once } from 'node:events';
import type { Io } from './line/io.js';
import { runCommandLine } from './line/program.js';
import { stopSignal } from './serve/stop-signal.js';

export { commands } from './commands.js';
export { runCommandLine } from './line/program.js';
export type { ExitCode } from './line/exit-codes.js';
export type { Io } from './line/io.js';

/** Runs the arguments and streams of this process, and sets its exit code; the process ends once its output is flushed. */
export async function main(argv: readonly string[] = process.argv.slice(2)): Promise<void> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // Whoever waits for the output gets this error too.
    if (error.code !== 'EPIPE') throw error;
  });
  process.exitCode = await runCommandLine(argv, processIo());
}

function processIo(): Io {
  const { stdin, stdout, stderr, env } = process;
  return {
    print: (text) => void stdout.write(text),
    write: async (text) => {
      if (!stdout.write(text)) await once(stdout, 'drain');
    },
    printError: (text) => void stderr.write(text),
    input: stdin as AsyncIterable<Uint8Array>,
    env,
    isInteractive: stderr.isTTY,
    stopped: stopSignal,
  };
}
