/**
 * A program that is meant to be killed: opens the store in a folder, says what it finds there, then lets several
 * writers commit and says after each acknowledgement who got how far. Closes when it is spoken to.
 */
import { writeSync } from 'node:fs';
import type { Change } from '@blockwork/core/adapter';
import { openLowdbStore, type LowdbStoreOptions } from '../../src/index.js';

/** What one writer has written, as the store tells it. */
export interface Found {
  /** From the writer's counter: 0 before its first commit. */
  readonly n: number;
  readonly revision: number;
  /** Which of its log entries there are, in the store's order. */
  readonly log: readonly number[];
}

export type CrashLine = { found: Found[]; damage: unknown[] } | { acknowledged: number; n: number } | { closed: true };

/** So many of its newest log entries each writer keeps. */
export const logLength = 4;
export const writers = 6;

const say = (line: CrashLine): void => void writeSync(1, `${JSON.stringify(line)}\n`);

const counterOf = (writer: number): string => `counter-${writer % 2}`;
const logOf = (writer: number): string => `log-${writer}`;
const keyOf = (writer: number): string => `writer-${writer}`;

/** Touches several records in two partitions, of which none may ever be seen without the others. */
function step(writer: number, n: number): Change[] {
  const record = (id: string, text: string): { id: string; name: string; extension: string; content: string } => ({
    id,
    name: String(n),
    extension: 'txt',
    content: text.repeat(20 * (n % 30)),
  });
  return [
    { op: 'put', kind: 'artifact', partition: counterOf(writer), value: record(keyOf(writer), 'c') },
    { op: 'put', kind: 'artifact', partition: logOf(writer), value: record(String(n), 'log') },
    { op: 'delete', kind: 'artifact', partition: logOf(writer), id: String(n - logLength) },
  ];
}

async function run(folder: string, options: Omit<LowdbStoreOptions, 'folder'>): Promise<void> {
  const store = await openLowdbStore({ folder, ...options });
  const found = async (writer: number): Promise<Found> => ({
    n: Number((await store.get('artifact', counterOf(writer), keyOf(writer)))?.name ?? 0),
    revision: await store.revision(keyOf(writer)),
    log: (await store.find('artifact', logOf(writer))).map(({ id }) => Number(id)),
  });
  const all = await Promise.all(Array.from({ length: writers }, (_, writer) => found(writer)));
  say({ found: all, damage: [...store.report.damage] });

  let closing = false;
  process.stdin.once('data', () => (closing = true));
  process.stdin.once('end', () => process.exit(1));
  const write = async (writer: number, from: number): Promise<void> => {
    for (let n = from + 1; !closing; n++) {
      await store.commit({ expect: { [keyOf(writer)]: n - 1 }, changes: step(writer, n) });
      say({ acknowledged: writer, n });
    }
  };
  await Promise.all(all.map(({ n }, writer) => write(writer, n)));
  await store.close();
  say({ closed: true });
  process.stdin.destroy();
}

const [folder = '', options = '{}'] = process.argv.slice(2);
if (process.argv[1]?.endsWith('crash-writer.mjs'))
  await run(folder, JSON.parse(options) as Omit<LowdbStoreOptions, 'folder'>);
