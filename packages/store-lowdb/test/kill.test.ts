import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { openLowdbStore, type LowdbStoreOptions } from '../src/index.js';
import { logLength, writers, type CrashLine, type CrashOptions, type Found } from './support/crash-writer.js';
import { temporaryFolders } from '../../../test/support/folders.js';
import { buildProgram, Program } from './support/program.js';
import { times } from '../../../test/support/repetitions.js';

const newFolder = temporaryFolders();
let program = '';

beforeAll(async () => {
  program = await buildProgram('crash-writer', await newFolder());
});

/** Kills by progress, never by time. */
interface Kill {
  readonly during: 'opening' | 'work' | 'commits' | 'closing';
  /** File system operations after which the program kills itself, from opening or closing. */
  readonly operations?: number;
  /** Acknowledged commits after which the program is killed, or told to close. */
  readonly commits?: number;
}

/** Opening an existing store takes more operations than this. */
const opening = 10;

const count = (min: number, max: number): fc.Arbitrary<number> => fc.integer({ min, max });
const kinds: readonly fc.Arbitrary<Kill>[] = [
  count(4, 40).map((commits) => ({ during: 'commits', commits })),
  count(1, opening).map((operations) => ({ during: 'opening', operations })),
  fc.tuple(count(4, 40), count(1, 60)).map(([commits, operations]) => ({ during: 'closing', commits, operations })),
  count(opening + 1, 150).map((operations) => ({ during: 'work', operations })),
];

/** The last `logLength` numbers up to `n`. */
const newest = (n: number): number[] =>
  Array.from({ length: Math.min(n, logLength) }, (_, k) => n - Math.min(n, logLength) + 1 + k);

/** Repeatedly kills the process of one store, and compares what the next one finds with what was acknowledged. */
class Killer {
  readonly acknowledged: number[] = new Array<number>(writers).fill(0);
  readonly #folder: string;
  readonly #store: CrashOptions['store'];
  /** Number of processes killed before they had opened the store. */
  killedOpening = 0;

  constructor(folder: string, store: CrashOptions['store']) {
    this.#folder = folder;
    this.#store = store;
  }

  async round({ during, operations, commits = 0 }: Kill): Promise<void> {
    const counter = during === 'closing' ? 'killClosingAt' : 'killAt';
    const options = { store: this.#store, ...(operations !== undefined && { [counter]: operations }) };
    const running = new Program<CrashLine>(program, this.#folder, JSON.stringify(options satisfies CrashOptions));
    if (commits > 0) {
      const acknowledged = (): number => running.lines.filter((line) => 'acknowledged' in line).length;
      await running.waitFor(() => acknowledged() >= commits);
    }
    if (during === 'commits') running.process.kill('SIGKILL');
    if (during === 'closing') running.process.stdin.write('close\n');
    await running.ended;
    expect(running.errors).toBe('');
    this.#check(running.lines);
  }

  #check(lines: readonly CrashLine[]): void {
    const [first, ...rest] = lines;
    if (first === undefined) this.killedOpening += 1;
    else if (!('found' in first)) expect.unreachable('The first line is the content of the store.');
    else {
      expect(first.damage).toEqual([]);
      for (const [writer, state] of first.found.entries()) this.#checkWriter(writer, state);
    }
    for (const line of rest) if ('acknowledged' in line) this.acknowledged[line.acknowledged] = line.n;
  }

  #checkWriter(writer: number, { n, revision, log }: Found): void {
    const acknowledged = this.acknowledged[writer] ?? 0;
    // The pending commit may be there or not, but not in part.
    expect([acknowledged, acknowledged + 1]).toContain(n);
    expect({ writer, revision, log }).toEqual({ writer, revision: n, log: newest(n) });
    this.acknowledged[writer] = n;
  }
}

async function killRepeatedly(kills: readonly Kill[], options: CrashOptions['store']): Promise<void> {
  const folder = await newFolder();
  const killer = new Killer(folder, options);
  for (const kill of kills) await killer.round(kill);
  expect(killer.acknowledged.reduce((sum, n) => sum + n)).toBeGreaterThan(kills.length);
  expect(killer.killedOpening).toBeGreaterThanOrEqual(kills.length / 4);

  const store = await openLowdbStore({ folder, ...options });
  for (const [writer, acknowledged] of killer.acknowledged.entries()) {
    const n = await store.revision(`writer-${writer}`);
    expect([acknowledged, acknowledged + 1]).toContain(n);
    expect((await store.find('artifact', `log-${writer}`)).map(({ id }) => Number(id))).toEqual(newest(n));
  }
  await store.close();
}

const variants: Readonly<Record<string, Omit<LowdbStoreOptions, 'folder'>>> = {
  'that hardly ever makes a checkpoint': {},
  'that is always making checkpoints': { checkpointBytes: 4000, segmentBytes: 1500, partBytes: 1000 },
};
/** In total twice as many; more than a thousand in the soak. */
const killsOfEach = times(8, 16, 520);
const kills = fc.tuple(
  ...Array.from({ length: killsOfEach }, (_, n) => kinds[n % kinds.length] ?? fc.constant({} as Kill)),
);

describe.concurrent('after kill -9, a store', () => {
  for (const [name, options] of Object.entries(variants)) {
    it(
      `${name} has every acknowledged commit, and none in part (${killsOfEach} kills)`,
      { timeout: 3_600_000 },
      async () => {
        const property = fc.asyncProperty(kills, (all) => killRepeatedly(all, options));
        // One history of kills; it cannot be shrunk, since a process never runs the same way twice.
        await fc.assert(property, { numRuns: 1, endOnFailure: true });
      },
    );
  }
});
