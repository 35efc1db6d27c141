import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { openLowdbStore, type LowdbStoreOptions } from '../src/index.js';
import { logLength, writers, type CrashLine, type Found } from './tools/crash-writer.js';
import { temporaryFolders } from './tools/folders.js';
import { buildProgram, Program } from './tools/program.js';
import { times } from './tools/soak.js';

const newFolder = temporaryFolders();
let program = '';

beforeAll(async () => {
  program = await buildProgram('crash-writer', await newFolder());
});

/** The last `logLength` numbers up to `n`. */
const newest = (n: number): number[] =>
  Array.from({ length: Math.min(n, logLength) }, (_, k) => n - Math.min(n, logLength) + 1 + k);

/** Kills the same store's process again and again, and holds what each next one finds against what was acknowledged. */
class Killing {
  readonly acknowledged: number[] = new Array<number>(writers).fill(0);
  readonly #folder: string;
  readonly #options: string;
  /** How often a process was killed before it had even said what it found. */
  killedOpening = 0;

  constructor(folder: string, options: Omit<LowdbStoreOptions, 'folder'>) {
    this.#folder = folder;
    this.#options = JSON.stringify(options);
  }

  async round(n: number): Promise<void> {
    const running = new Program<CrashLine>(program, this.#folder, this.#options);
    if (n % 10 === 9) await pause(25 + Math.random() * 20);
    else {
      // Every other process gets to write a few times, however slow the machine is; the rest may be killed before.
      const writes = (): number => running.lines.filter((line) => 'acknowledged' in line).length;
      await running.heard((line) => (n % 2 === 0 ? writes() >= enough : 'found' in line));
      await pause(Math.random() * 25);
      if (n % 4 === 3) {
        running.process.stdin.write('close\n');
        await pause(Math.random() * 6);
      }
    }
    await running.kill();
    expect(running.errors).toBe('');
    this.#check(running.lines);
  }

  #check(lines: readonly CrashLine[]): void {
    const [first, ...rest] = lines;
    if (first === undefined) this.killedOpening += 1;
    else if (!('found' in first)) expect.unreachable('The program first says what it found.');
    else {
      expect(first.damage).toEqual([]);
      for (const [writer, found] of first.found.entries()) this.#checkWriter(writer, found);
    }
    for (const line of rest) if ('acknowledged' in line) this.acknowledged[line.acknowledged] = line.n;
  }

  #checkWriter(writer: number, { n, revision, log }: Found): void {
    const acknowledged = this.acknowledged[writer] ?? 0;
    // The one commit that was under way may be there or not; whole, or not at all.
    expect([acknowledged, acknowledged + 1]).toContain(n);
    expect({ writer, revision, log }).toEqual({ writer, revision: n, log: newest(n) });
    this.acknowledged[writer] = n;
  }
}

const variants: Readonly<Record<string, Omit<LowdbStoreOptions, 'folder'>>> = {
  'that hardly ever makes a checkpoint': {},
  'that is always making checkpoints': { checkpointBytes: 4000, segmentBytes: 1500, partBytes: 1000 },
};
/** Twice as many in all: more than a hundred, or more than a thousand. */
const roundsOfEach = times(60, 520);
/** Acknowledged writes that a process which gets to write has at least. */
const enough = 4;

describe.concurrent('after kill -9, a store', () => {
  for (const [name, options] of Object.entries(variants)) {
    it(
      `${name} has every acknowledged commit, and none by halves, ${roundsOfEach} times`,
      { timeout: 3_600_000 },
      async () => {
        const folder = await newFolder();
        const killing = new Killing(folder, options);
        for (let n = 0; n < roundsOfEach; n++) await killing.round(n);
        expect(killing.acknowledged.reduce((sum, n) => sum + n)).toBeGreaterThan(roundsOfEach);

        const store = await openLowdbStore({ folder, ...options });
        for (const [writer, acknowledged] of killing.acknowledged.entries()) {
          const n = await store.revision(`writer-${writer}`);
          expect([acknowledged, acknowledged + 1]).toContain(n);
          expect((await store.find('artifact', `log-${writer}`)).map(({ id }) => Number(id))).toEqual(newest(n));
        }
        await store.close();
      },
    );
  }
});
