/** The process around the command: its arguments and its standard streams. */
import { once } from 'node:events';
import { runCommand } from './run-command.js';

/** Ends the process with the command's exit code, once everything is said. */
export async function main(): Promise<void> {
  const { stdin, stdout, stderr } = process;
  process.exitCode = await runCommand(process.argv.slice(2), {
    say: (text) => void stdout.write(text),
    pour: async (text) => {
      if (!stdout.write(text)) await once(stdout, 'drain');
    },
    warn: (text) => void stderr.write(text),
    input: stdin as AsyncIterable<Uint8Array>,
  });
}
