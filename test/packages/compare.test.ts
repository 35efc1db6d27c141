/** What `npm run compare` notices of engines that lose or double something when they are killed, and how it counts and writes. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { engines } from '../../scripts/compare/engines.mjs';
import { killed } from '../../scripts/compare/kills.mjs';
import { describe as inWords } from '../../scripts/compare/page.mjs';
import { randomNumbers } from '../support/random-numbers.mjs';
import { codeLines } from '../../scripts/compare/workplace.mjs';

const program = fileURLToPath(new URL('../../scripts/compare/process.mjs', import.meta.url));
const flow = new URL('comparison/flow.mjs', import.meta.url).href;

async function outcomeOf(fault: string) {
  const folder = await mkdtemp(join(tmpdir(), 'blockwork-compare-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const task = { home: folder, file: flow, folder, fault };
  return killed({ command: [process.execPath, program], task, times: 4, random: randomNumbers(1) });
}

describe('kills', () => {
  it('do nothing to an engine that writes before it answers', async () => {
    const outcome = await outcomeOf('none');

    expect(outcome.flows).toBeGreaterThan(0);
    expect(outcome).toMatchObject({ lost: 0, doubled: 0, unfinished: 0, errors: [] });
  });

  it('count steps that were acknowledged and are lost', async () => {
    expect((await outcomeOf('lost')).lost).toBeGreaterThan(0);
  });

  it('count what is doubled', async () => {
    expect((await outcomeOf('doubled')).doubled).toBeGreaterThan(0);
  });

  it('count flows that no other process can finish, and say why', async () => {
    const { unfinished, errors } = await outcomeOf('stuck');

    expect(unfinished).toBeGreaterThan(0);
    expect(errors).toEqual(['Only the process that began it goes on.']);
  });
});

it('counts the lines that say something', () => {
  expect(codeLines('/** A comment\n * of two lines. */\n\nconst a = 1; // here\n  // there\na();\n')).toBe(2);
});

it('relates the figures of an engine to those of the first with the same storage', () => {
  const round = (rate: number) => ({
    one: { rate, middle: 1, slow: 2 },
    many: { rate, middle: 1, slow: 2 },
    start: { milliseconds: 50 },
  });
  const rest = { lines: 5, megabytes: 3, kills: { flows: 9, lost: 0, doubled: 0, unfinished: 0, errors: [] } };
  const subjects = engines
    .filter(({ storage }) => storage === 'files')
    .map((engine, at) => ({ ...engine, ...rest, rounds: [round(100 * 2 ** at), round(100)] }));

  const [ours, other] = inWords({ subjects, kills: 4, seconds: 1, node: '24.0.0' }).split('\n').slice(2);

  expect(ours).toMatch(/^\| Blockwork, files \| 100 \| 100 \|/);
  expect(other).toContain('| 200 (×2.00, 1.00–2.00) |');
});

it('shows on its page what the script compares', async () => {
  const page = await readFile(new URL('../../docs/comparison.md', import.meta.url), 'utf8');

  for (const { title } of engines) expect(page).toContain(`| ${title} `);
});
