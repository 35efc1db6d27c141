/** A timer that a test lets go off, so that what happens before it does not depend on the pace of the machine. */
import { vi } from 'vitest';

/** Holds back the timer of exactly so many milliseconds until the returned function is called; all others run as ever. */
export function holdTimer(ms: number): () => void {
  const { setTimeout: start } = globalThis;
  const releases: (() => void)[] = [];
  const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, after?: number, ...args: []) => {
    if (after !== ms) return start(run, after, ...args);
    releases.push(run);
    return undefined;
  }) as typeof setTimeout);
  return () => {
    spy.mockRestore();
    for (const run of releases) run();
  };
}
