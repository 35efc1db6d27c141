/** What the benchmarks share: medians, ratios, and how they are printed. */

export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
};

/** Runs the subjects in turn, `rounds` times, so that a change of the machine's speed meets them all alike. */
export async function inTurn(rounds, subjects) {
  const results = Object.fromEntries(Object.keys(subjects).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, run] of Object.entries(subjects)) results[name].push(await run(round));
  }
  return results;
}

/** The median of the ratios, round by round. */
export const ratio = (of, to) => {
  const ratios = of.map((value, round) => value / to[round]);
  return { median: median(ratios), low: Math.min(...ratios), high: Math.max(...ratios) };
};

/** Milliseconds for one call, over at least `ms` milliseconds. */
export async function timePerCall(call, ms = 500) {
  let calls = 0;
  const began = performance.now();
  let spent = 0;
  for (; spent < ms; spent = performance.now() - began) {
    for (let batch = 0; batch < 20; batch += 1) await call(calls + batch);
    calls += 20;
  }
  return spent / calls;
}

/** Calls a second of so many that run at once, over so many milliseconds or a little more. */
export async function rate(call, atOnce, milliseconds) {
  const began = performance.now();
  let done = 0;
  const run = async () => {
    while (performance.now() - began < milliseconds) {
      await call();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, run));
  return done / ((performance.now() - began) / 1000);
}

export const number = (value) => (value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(2) : value.toFixed(4));

/** One line: what was measured, the ratio, its spread, and what we aim at. */
export function report(name, { median: middle, low, high }, aim, reached) {
  const spread = `[${number(low)} .. ${number(high)}]`;
  console.log(
    `${name.padEnd(58)} ${number(middle).padStart(8)} ${spread.padEnd(20)} aim ${aim} ${reached(middle) ? 'ok' : 'BELOW'}`,
  );
}

export const note = (name, value) => console.log(`  ${name.padEnd(56)} ${value}`);

/** Bytes of heap in use, after everything that can be freed is freed. */
export function heapUsed() {
  if (globalThis.gc === undefined) throw new Error('Run this with --expose-gc, or through `npm run bench`.');
  for (let pass = 0; pass < 4; pass += 1) globalThis.gc();
  return process.memoryUsage().heapUsed;
}
