/** How the work of a function grows with its input, in processor time, so that neither the machine nor its load decides. */

/** Processor time for 8 times the input over that for the input: about 8 where it grows in proportion, 64 with the square. */
export function growth(prepare: (size: number) => () => void, size: number): number {
  return leastTime(prepare, size * 8) / leastTime(prepare, size);
}

/** The least of several runs, in microseconds: what disturbs a run only adds to it. */
function leastTime(prepare: (size: number) => () => void, size: number): number {
  const times = Array.from({ length: 5 }, () => {
    const run = prepare(size);
    const begin = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(begin);
    return user + system;
  });
  return Math.max(1, Math.min(...times));
}
