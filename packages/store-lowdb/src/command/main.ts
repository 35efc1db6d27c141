/** Runs the command with the arguments and standard streams of the process. */
import { once } from 'node:events';
import { runCommand } from './run-command.js';

/** Sets the exit code; the process ends once its output is flushed. */
export async function main(): Promise<void> {
  const { stdin, stdout, stderr } = process;
  process.exitCode = await runCommand(process.argv.slice(2), {
    print: (text) => void stdout.write(text),
    write: async (text) => {
      if (!stdout.write(text)) await once(stdout, 'drain');
    },
    printError: (text) => void stderr.write(text),
    input: stdin as AsyncIterable<Uint8Array>,
  });
}
