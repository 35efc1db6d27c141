/** Collects what checks find, and decides in the end; failures that are known are named, and must go on failing. */
import { step } from '../run.mjs';

/** The checks that failed, those that fail as is known, and those that no longer do. */
export function verdict(results, exceptions) {
  const failing = results.filter(({ problems }) => problems.length > 0);
  const isKnown = ({ name }) => name in exceptions;
  return {
    failed: failing.filter((result) => !isKnown(result)),
    expected: failing.filter(isKnown),
    outdated: Object.keys(exceptions).filter((name) => !failing.some((result) => result.name === name)),
  };
}

export class Checks {
  results = [];

  /** Runs a check, which resolves to the problems that it found, and prints how it went. What it throws is one, too. */
  async check(name, action) {
    await step(name, async () => {
      const problems = await Promise.resolve()
        .then(action)
        .catch((error) => [String(error.stack)]);
      this.results.push({ name, problems });
      return problems.length === 0 ? 'ok' : `${problems.length} problem${problems.length === 1 ? '' : 's'}`;
    });
  }

  /** Prints all problems; whether there are none but the known ones. */
  report(exceptions) {
    const { failed, expected, outdated } = verdict(this.results, exceptions);
    for (const { name, problems } of failed) console.error(`\n${name}\n  ${problems.join('\n  ')}`);
    for (const { name, problems } of expected)
      console.log(`\nKnown to fail: ${name}\n  ${exceptions[name]}\n  ${problems.join('\n  ')}`);
    for (const name of outdated) console.error(`\n"${name}" no longer fails: remove it from the known failures.`);
    return failed.length + outdated.length === 0;
  }
}
