/** Builds and runs the programs of this folder as processes. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import * as programs from '../../../../test/support/build-program.js';

/** Bundles `name` with the sources of the packages into `folder`; resolves to the file to run. */
export const buildProgram = (name: string, folder: string): Promise<string> =>
  programs.buildProgram(new URL(`./${name}.ts`, import.meta.url), folder);

/** A running program that prints lines of JSON. */
export class Program<Line> {
  readonly process: ChildProcessWithoutNullStreams;
  readonly lines: Line[] = [];
  readonly ended: Promise<void>;
  errors = '';
  #onLine: () => void = () => undefined;

  constructor(file: string, ...args: string[]) {
    this.process = spawn(process.execPath, [file, ...args], { stdio: 'pipe' });
    this.process.stderr.on('data', (text: Buffer) => (this.errors += text.toString()));
    const lines = createInterface(this.process.stdout);
    lines.on('line', (line) => {
      this.lines.push(JSON.parse(line) as Line);
      this.#onLine();
    });
    this.ended = new Promise((resolve) =>
      this.process.once('close', () => {
        this.#onLine();
        resolve();
      }),
    );
  }

  /** Resolves to the first matching line, or to `undefined` if the program ends without one. */
  async waitFor(matches: (line: Line) => boolean): Promise<Line | undefined> {
    for (;;) {
      const line = this.lines.find(matches);
      if (line !== undefined || this.process.exitCode !== null || this.process.signalCode !== null) return line;
      await new Promise<void>((resolve) => (this.#onLine = resolve));
    }
  }

  async kill(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.ended;
  }
}
