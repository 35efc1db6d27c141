/** Shortens the way to a finding by omitting moves and replaying (delta debugging). */
import type { Move } from './move.js';

/**
 * The shortest way found for which `isThere` still resolves to true; the last move is always kept. `tries` bounds the
 * number of replays.
 */
export async function shorten(
  way: readonly Move[],
  tries: number,
  isThere: (moves: readonly Move[]) => Promise<boolean>,
): Promise<readonly Move[]> {
  const last = way.at(-1);
  if (last === undefined) return way;
  let left = tries;
  let kept = way.slice(0, -1);
  const attempt = async (shorter: readonly Move[]): Promise<boolean> => {
    if (left <= 0) return false;
    left -= 1;
    if (!(await isThere([...shorter, last]))) return false;
    kept = [...shorter];
    return true;
  };
  // First try to omit all moves of uninvolved players.
  for (const user of new Set(kept.map((move) => move.user))) {
    await attempt(kept.filter((move) => move.user !== user));
  }
  for (const block of new Set(kept.map((move) => move.block))) {
    await attempt(kept.filter((move) => move.block !== block));
  }
  await leaveOutParts(
    () => kept,
    attempt,
    () => left > 0,
  );
  return [...kept, last];
}

/** Ever smaller chunks, from the end, since late moves are the least likely to matter. */
async function leaveOutParts(
  rest: () => readonly Move[],
  attempt: (shorter: readonly Move[]) => Promise<boolean>,
  mayTry: () => boolean,
): Promise<void> {
  for (let size = Math.ceil(rest().length / 2); size >= 1 && mayTry(); size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let end = rest().length; end > 0 && mayTry(); end -= size) {
      const moves = rest();
      await attempt([...moves.slice(0, Math.max(0, end - size)), ...moves.slice(end)]);
    }
  }
}
