/** The programs on the pages: each compiles in strict mode, and each that is whole runs. */
import { describe, expect, it } from 'vitest';
import { temporaryFolders } from '../support/folders.js';
import { complaints } from './support/compiled-snippets.js';
import { buildPrograms, printedAsShown } from './support/run-programs.js';
import { snippetsOfPages, type Snippet } from './support/snippets.js';
import { someOf } from '../support/repetitions.js';
import { putRegistry } from './support/template-policy.js';

const newFolder = temporaryFolders();

/** Their programs follow each other; the test that is named runs them in order. */
const followedElsewhere: Readonly<Record<string, string>> = {
  'docs/tutorial.md': 'scripts/packages/tutorial/follow.mjs',
  'docs/writing-a-block.md': 'test/docs/writing-a-block.test.ts',
};

const isProgram = ({ language, page }: Snippet): boolean =>
  (language === 'ts' || language === 'js') && !(page in followedElsewhere);

const programs = (await snippetsOfPages()).filter(isProgram);
const alone = complaints(programs, { isPart: false });
const whole = programs.filter((_, n) => alone[n]?.length === 0);
const parts = programs.filter((each) => !whole.includes(each));
const running = whole.filter(({ info }) => info !== 'no-run');

it('every program on a page compiles in strict mode, alone or with the names that stand around it', () => {
  const complaintLists = complaints(parts, { isPart: true });
  expect(
    parts.map(({ place }, n) => ({ place, said: complaintLists[n] })).filter(({ said = [] }) => said.length > 0),
  ).toEqual([]);
});

it('programs on pages are whole, or parts that stand within one', () => {
  expect(whole.length).toBeGreaterThan(0);
  expect(parts.length).toBeGreaterThan(0);
});

/** The others have compiled. */
const tried = someOf(running, 3);

describe('every whole program runs, and prints what the page says', async () => {
  const folder = await newFolder();
  await putRegistry(folder);
  const run = await buildPrograms(tried, folder);

  it.each(tried.map((snippet, n) => ({ ...snippet, n })))('$place', async ({ n, ...snippet }) => {
    const printed = (await run(n)).replaceAll(/\s+/g, ' ');
    for (const shown of printedAsShown(snippet)) expect(printed).toContain(shown);
  });
});
