/** The data on the pages: JSON parses, scenarios play, and the schema that editors are pointed to is where it says. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describeFailures, openScenarioWorld, runScenario } from '@blockwork/explorer';
import { expect, it } from 'vitest';
import { temporaryFolders } from '../support/folders.js';
import { counted, snippetsOfPages } from './support/snippets.js';
import { putRegistry } from './support/template-policy.js';

const newFolder = temporaryFolders();
const snippets = await snippetsOfPages();
const data = snippets.filter(({ language }) => language === 'json');
const isScenario = (value: unknown): value is object[] => Array.isArray(value) && 'as' in (value[0] as object);

it.each(data)('$place is JSON', ({ code }) => {
  expect(() => JSON.parse(code) as unknown).not.toThrow();
});

it('a scenario on a page is played by the policy of a new project', async () => {
  const folder = await newFolder();
  await putRegistry(folder);
  const [scenario, ...others] = data.filter(
    ({ code, page }) => page !== 'docs/tutorial.md' && isScenario(JSON.parse(code)),
  );
  expect(others).toEqual([]);
  const world = await openScenarioWorld(await readFile(join(folder, 'registry.policy')));
  expect(describeFailures('page', await runScenario(JSON.parse(scenario?.code ?? ''), world))).toBe('');
  await world.close();
});

it('the schema that a policy file names for its editor is the one in the docs', async () => {
  const [named] = data.flatMap(({ code }) => /"\$schema": "[^"]*\/main\/(docs\/[^"]+)"/.exec(code)?.[1] ?? []);
  await stat(new URL(`../../${named ?? ''}`, import.meta.url));
});

it('a snippet that cannot run says so, and these are all of them', () => {
  expect(counted(snippets.filter(({ info }) => info === 'no-run'))).toMatchInlineSnapshot(`
    {
      "js no-run": 5,
      "sh no-run": 27,
    }
  `);
});
