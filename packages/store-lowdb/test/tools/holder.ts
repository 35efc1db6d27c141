/** A program that opens the store in a folder, says how that went, and holds it until it is spoken to or killed. */
import { writeSync } from 'node:fs';
import { openLowdbStore } from '../../src/index.js';

export type HolderLine = { opened: number } | { refused: string; message: string } | { closed: true };

const say = (line: HolderLine): void => void writeSync(1, `${JSON.stringify(line)}\n`);

async function run(folder: string): Promise<void> {
  try {
    const store = await openLowdbStore({ folder });
    say({ opened: process.pid });
    await new Promise((resolve) => process.stdin.once('data', resolve));
    await store.close();
    say({ closed: true });
  } catch (error) {
    const { code, message } = error as Error & { code: string };
    say({ refused: code, message });
  }
  process.stdin.destroy();
}

if (process.argv[1]?.endsWith('holder.mjs')) await run(process.argv[2] ?? '');
