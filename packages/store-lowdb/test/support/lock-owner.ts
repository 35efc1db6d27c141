/** A program that opens a store, prints the outcome, and keeps it open until it reads a line or is killed. */
import { writeSync } from 'node:fs';
import { openLowdbStore } from '../../src/index.js';

export type OwnerLine = { opened: number } | { refused: string; message: string } | { closed: true };

const print = (line: OwnerLine): void => void writeSync(1, `${JSON.stringify(line)}\n`);

async function run(folder: string): Promise<void> {
  try {
    const store = await openLowdbStore({ folder });
    print({ opened: process.pid });
    await new Promise((resolve) => process.stdin.once('data', resolve));
    await store.close();
    print({ closed: true });
  } catch (error) {
    const { code, message } = error as Error & { code: string };
    print({ refused: code, message });
  }
  process.stdin.destroy();
}

if (process.argv[1]?.endsWith('lock-owner.mjs')) await run(process.argv[2] ?? '');
