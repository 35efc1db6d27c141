/** The command line within the process of a test. */
import { Readable } from 'node:stream';
import { runCommandLine } from '@blockwork/cli';

export interface Ended {
  readonly code: number;
  /** On either stream. */
  readonly out: string;
}

export async function blockwork(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  let out = '';
  const code = await runCommandLine(argv, {
    print: (text) => void (out += text),
    write: (text) => Promise.resolve(void (out += text)),
    printError: (text) => void (out += text),
    input: Readable.from([]),
    env,
    isInteractive: false,
    stopped: () => new Promise(() => undefined),
  });
  return { code, out };
}
