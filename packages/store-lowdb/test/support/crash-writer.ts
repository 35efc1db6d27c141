/**
 * A program to be killed: opens a store, prints its content, then lets several writers commit and prints each
 * acknowledgement. It closes the store when it reads a line.
 */
import { writeSync } from 'node:fs';
import type { Change } from '@blockwork/core/adapter';
import { openLowdbStore, type LowdbStore, type LowdbStoreOptions } from '../../src/index.js';
import { SelfKillingFileSystem } from './self-killing-file-system.js';

/** The content of one writer. */
export interface Found {
  /** The writer's counter: 0 before its first commit. */
  readonly n: number;
  readonly revision: number;
  /** Its log entries, in the store's order. */
  readonly log: readonly number[];
}

export type CrashLine = { found: Found[]; damage: unknown[] } | { acknowledged: number; n: number } | { closed: true };

export interface CrashOptions {
  readonly store: Omit<LowdbStoreOptions, 'folder'>;
  /** The program kills itself at this file system operation, counted from opening. */
  readonly killAt?: number;
  /** The program kills itself at this file system operation, counted from closing. */
  readonly killClosingAt?: number;
}

/** Each writer keeps this many log entries. */
export const logLength = 4;
export const writers = 6;

const print = (line: CrashLine): void => void writeSync(1, `${JSON.stringify(line)}\n`);

const counterOf = (writer: number): string => `counter-${writer % 2}`;
const logOf = (writer: number): string => `log-${writer}`;
const keyOf = (writer: number): string => `writer-${writer}`;

/** Changes records in two partitions, which must only ever be visible together. */
function changesOf(writer: number, n: number): Change[] {
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

const contentOf = async (store: LowdbStore, writer: number): Promise<Found> => ({
  n: Number((await store.get('artifact', counterOf(writer), keyOf(writer)))?.name ?? 0),
  revision: await store.revision(keyOf(writer)),
  log: (await store.find('artifact', logOf(writer))).map(({ id }) => Number(id)),
});

async function run(folder: string, { store: options, killAt, killClosingAt }: CrashOptions): Promise<void> {
  const kills = killAt !== undefined || killClosingAt !== undefined;
  const files = kills ? new SelfKillingFileSystem(killAt ?? Infinity) : undefined;
  const store = await openLowdbStore({ folder, ...options, ...(files && { fileSystem: files }) });
  const contents = await Promise.all(Array.from({ length: writers }, (_, writer) => contentOf(store, writer)));
  print({ found: contents, damage: [...store.report.damage] });

  let isClosing = false;
  process.stdin.once('data', () => {
    isClosing = true;
    if (files) files.operationsLeft = killClosingAt ?? Infinity;
  });
  process.stdin.once('end', () => process.exit(1));
  const write = async (writer: number, from: number): Promise<void> => {
    for (let n = from + 1; !isClosing; n++) {
      await store.commit({ expect: { [keyOf(writer)]: n - 1 }, changes: changesOf(writer, n) });
      print({ acknowledged: writer, n });
    }
  };
  await Promise.all(contents.map(({ n }, writer) => write(writer, n)));
  await store.close();
  print({ closed: true });
  process.stdin.destroy();
}

const [folder = '', options = '{}'] = process.argv.slice(2);
if (process.argv[1]?.endsWith('crash-writer.mjs')) await run(folder, JSON.parse(options) as CrashOptions);
