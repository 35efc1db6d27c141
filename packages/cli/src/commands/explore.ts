/** `blockwork explore`: runs a policy with random users, and reports what it found. */
import { describeExploration, explorePolicy, hasDefects } from '@blockwork/explorer';
import type { Exploration, ExploreOptions } from '@blockwork/explorer';
import { printResult, textOption, type CommandInput, type CommandRun } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';
import { CommandError } from '../line/failure.js';
import { withProgress } from '../line/io.js';
import { readPolicySource } from '../policies/read-source.js';

export const run: CommandRun = async (input, io) => {
  const [path = '', ...invariants] = input.args;
  const seed = wholeNumber(input, 'seed', 0) ?? 1;
  const steps = wholeNumber(input, 'steps', 1) ?? 1000;
  const users = wholeNumber(input, 'users', 1);
  const source = await readPolicySource(path);
  const exploration = await withProgress(io, (report) =>
    explored(source as Uint8Array | object, {
      seed,
      steps,
      invariants,
      ...(users !== undefined && { users }),
      onProgress: (stepsDone) => report(`step ${String(stepsDone)} of ${String(steps)}`),
    }),
  );
  const { text, isDefect } = explorationReport(exploration);
  await printResult(input, io, { value: exploration, text: () => text });
  return isDefect ? exitCodes.found : exitCodes.ok;
};

/** As `explorePolicy`. Throws a `CommandError` for an invariant that cannot be read. */
export const explored = (source: Uint8Array | object, options: ExploreOptions): Promise<Exploration> =>
  explorePolicy(source, options).catch((error: unknown) => {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CommandError(exitCodes.usage, error.message, 'INVARIANT_INVALID');
  });

/** What was found, as text, and whether any of it is a defect. */
export const explorationReport = (exploration: Exploration): { readonly text: string; readonly isDefect: boolean } => ({
  text: describeExploration(exploration),
  isDefect: hasDefects(exploration),
});

function wholeNumber(input: CommandInput, name: string, least: number): number | undefined {
  const text = textOption(input, name);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (/^\d{1,7}$/.test(text) && number >= least) return number;
  throw new CommandError(
    exitCodes.usage,
    `--${name} must be a whole number from ${String(least)} to 9999999.`,
    'OPTION_INVALID',
  );
}
