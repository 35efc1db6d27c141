/** Runs a command line as the program does, with its streams kept. */
import { runCommandLine, type Io } from '../../src/index.js';

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface Surroundings {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stopped?: Io['stopped'];
  /** Hears of everything on standard output as it comes. */
  readonly heard?: (text: string) => void;
}

async function* bytesOf(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text);
}

export async function run(argv: readonly string[], surroundings: Surroundings = {}): Promise<Ended> {
  const { input = '', env = {}, heard = () => undefined } = surroundings;
  const stopped = surroundings.stopped ?? (() => new Promise<string>(() => undefined));
  let [out, err] = ['', ''];
  const print = (text: string): void => {
    out += text;
    heard(text);
  };
  const code = await runCommandLine(argv, {
    print,
    write: async (text) => print(text),
    printError: (text) => void (err += text),
    input: bytesOf(input),
    env,
    isInteractive: false,
    stopped,
  });
  return { code, out, err };
}

/** The JSON that a command prints with `--json`. */
export async function runJson(argv: readonly string[], surroundings?: Surroundings): Promise<unknown> {
  const { out, err } = await run([...argv, '--json'], surroundings);
  if (err !== '') throw new Error(err);
  return JSON.parse(out) as unknown;
}
