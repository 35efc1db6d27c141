/** How often a run repeats what is tried many times: each promise is tested in every run, with fewer inputs in a short one. */

/** `npm run soak ...` sets it: as often as there is time for. */
export const isSoak = process.env['BLOCKWORK_SOAK'] !== undefined;

const tests = process.env['BLOCKWORK_TESTS'];

/** Every combination, and more generated inputs. */
export const isThorough = isSoak || tests === 'all';

/** What compiles or builds the repository as a whole is tested too, as in `.ci/run`. */
export const isWhole = isThorough || tests === 'subjects';

/** The number of repetitions in `npm test`, in a thorough run, and in a soak. */
export const times = (inTest: number, inThorough: number, inSoak = inThorough): number =>
  isSoak ? inSoak : isThorough ? inThorough : inTest;

/** Of cases that are tried at many places, all in a thorough run; otherwise the first, and a third of the others, which changes with the place. */
export const casesAt = <Case>(place: number, cases: readonly Case[]): Case[] =>
  cases.filter((_, at) => isThorough || at === 0 || at % 3 === place % 3);

/** All of `all` in a thorough run; otherwise the `part`-th part of them, evenly spread from the first on. */
export const someOf = <Item>(all: readonly Item[], part: number): readonly Item[] =>
  isThorough ? all : all.filter((_, at) => at % part === 0);
