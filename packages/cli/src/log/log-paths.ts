/** The files of a log. */
import type { LogFiles } from '@blockwork/verify';
import { unreadable } from './log-files.js';

const TILE_WIDTH = 256;

/** The checkpoint comes last: it names nothing that is not there. */
export async function pathsOf(files: LogFiles): Promise<{ readonly size: number; readonly paths: readonly string[] }> {
  const note = Buffer.from((await files.read('checkpoint')) ?? []).toString();
  const size = Number(note.split('\n')[1]);
  if (!Number.isSafeInteger(size)) throw unreadable('The server gave no checkpoint.');
  const paths: string[] = [];
  for (let [level, hashes] = [0, size]; hashes > 0; level += 1, hashes = Math.floor(hashes / TILE_WIDTH)) {
    for (let index = 0; index * TILE_WIDTH < hashes; index += 1) {
      const width = Math.min(TILE_WIDTH, hashes - index * TILE_WIDTH);
      const tile = numbered(index) + (width === TILE_WIDTH ? '' : `.p/${String(width)}`);
      paths.push(`tile/${String(level)}/${tile}`);
      if (level === 0) paths.push(`tile/entries/${tile}`, `journal/${numbered(index)}.jsonl`);
    }
  }
  return { size, paths: [...paths, 'key', 'checkpoint'] };
}

function numbered(index: number): string {
  let path = String(index % 1000).padStart(3, '0');
  for (let rest = Math.floor(index / 1000); rest > 0; rest = Math.floor(rest / 1000)) {
    path = `x${String(rest % 1000).padStart(3, '0')}/${path}`;
  }
  return path;
}
