/** Turns a file of this folder into a small program that starts quickly as a process of its own. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** Bundles `name` of this folder into `folder`, with the packages taken from their sources; gives the file to run. */
export async function buildProgram(name: string, folder: string): Promise<string> {
  const file = join(folder, `${name}.mjs`);
  const bundle = await rolldown({
    input: path(`./${name}.ts`),
    platform: 'node',
    tsconfig: path('../../../../tsconfig.lint.json'),
  });
  await bundle.write({ file, format: 'esm', codeSplitting: false });
  await bundle.close();
  return file;
}

/** A running program that speaks in lines of JSON. */
export class Program<Line> {
  readonly process: ChildProcessWithoutNullStreams;
  readonly lines: Line[] = [];
  readonly ended: Promise<void>;
  errors = '';
  #heard: () => void = () => undefined;

  constructor(file: string, ...args: string[]) {
    this.process = spawn(process.execPath, [file, ...args], { stdio: 'pipe' });
    this.process.stderr.on('data', (text: Buffer) => (this.errors += text.toString()));
    const lines = createInterface(this.process.stdout);
    lines.on('line', (line) => {
      this.lines.push(JSON.parse(line) as Line);
      this.#heard();
    });
    this.ended = new Promise((resolve) =>
      this.process.once('close', () => {
        this.#heard();
        resolve();
      }),
    );
  }

  /** Resolves with the first line that fits; with `undefined` when the program ends before. */
  async heard(fits: (line: Line) => boolean): Promise<Line | undefined> {
    for (;;) {
      const line = this.lines.find(fits);
      if (line !== undefined || this.process.exitCode !== null || this.process.signalCode !== null) return line;
      await new Promise<void>((resolve) => (this.#heard = resolve));
    }
  }

  async kill(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.ended;
  }
}
