/** The commands on the pages: they run, against a real server where they call one, or say `no-run`. */
import { readFile, stat } from 'node:fs/promises';
import { createSecretKey } from 'node:crypto';
import { standardBlocks, webhookSender } from '@blockwork/blocks';
import { createEngine, type PolicyEngine } from '@blockwork/core';
import { createPolicyServer, signDevelopmentToken, type PolicyServer } from '@blockwork/http-koa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolders } from '../support/folders.js';
import { blockwork } from './support/blockwork.js';
import { openShell, type Shell } from './support/shell.js';
import { counted, snippetsOfPages, type Snippet } from './support/snippets.js';
import { putRegistry } from './support/template-policy.js';

const newFolder = temporaryFolders();
const owner = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };

/** Their commands are typed one after the other by `scripts/packages/tutorial/follow.mjs` and `test/deploy/several-nodes.test.ts`. */
const typed = ['docs/tutorial.md', 'docs/several-nodes.md'];
const commands = (await snippetsOfPages()).filter(({ language, page }) => language === 'sh' && !typed.includes(page));
const linesOf = ({ code }: Snippet): string[] => code.trim().split('\n');
const every = (pattern: RegExp) => (snippet: Snippet) => linesOf(snippet).every((line) => pattern.test(line));

/** Commands of this repository, which the other tests and `.ci/run` run: only that they are there is tested. */
const isOfRepository = every(/^(npm (start|test|run [\w:-]+)|node examples\/)/);
const areSettings = every(/^BLOCKWORK_\w+=/);
const isMarked = ({ info }: Snippet): boolean => info === 'no-run';
const running = commands.filter((each) => !isMarked(each) && !isOfRepository(each) && !areSettings(each));

let [engine, server, shell]: [PolicyEngine?, PolicyServer?, Shell?] = [];

beforeAll(async () => {
  const folder = await newFolder();
  await putRegistry(folder);
  const secret = createSecretKey(Buffer.alloc(32, 1));
  const webhooks = webhookSender({ allow: ['https://hooks.example.org/in'] });
  engine = createEngine({ blocks: standardBlocks(), webhooks, operators: [owner.did] });
  server = createPolicyServer(engine, { auth: { secret } });
  const { url } = await server.listen({ port: 0 });
  // The trial of the policy in the folder, in which somebody has taken part while it was recorded.
  const { policy } = await engine.importPolicy(owner, await readFile(`${folder}/registry.policy`));
  const { policy: draft } = await engine.importPolicy(owner, await readFile(`${folder}/registry.policy`));
  await engine.lifecycle.dryRun(owner, policy.id);
  await engine.trials.record(owner, policy.id);
  const { did } = await engine.trials.addUser(owner, policy.id, 'Alice');
  const alice = await engine.trials.caller(owner, policy.id, did);
  await engine.sendToBlock(alice, policy.id, { tag: 'choose_role' }, { role: 'Producer' });
  const variables = {
    TOKEN: signDevelopmentToken(secret, owner),
    ID: policy.id,
    POLICY: policy.id,
    DRAFT: draft.id,
    ALICE: did,
  };
  shell = await openShell(folder, url, variables);
});
afterAll(async () => {
  await server?.close();
  await engine?.close();
});

it.each(running)('$place', async ({ code }) => {
  await shell?.run(code);
});

it('commands of the repository name scripts, programs and folders that are there', async () => {
  const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
  const { scripts } = JSON.parse(manifest) as { readonly scripts: Readonly<Record<string, string>> };
  for (const line of commands.filter((each) => isOfRepository(each)).flatMap(linesOf)) {
    const [, called] = /^npm (?:run )?([\w:-]+)/.exec(line) ?? [];
    if (called !== undefined) expect(scripts, line).toHaveProperty([called]);
    const [, example] = /(examples\/[\w-]+)/.exec(line) ?? [];
    if (example !== undefined) await stat(new URL(`../../${example}`, import.meta.url));
  }
});

it('settings that a page shows are taken as they are', async () => {
  for (const snippet of commands.filter(areSettings)) {
    const env = Object.fromEntries(
      linesOf(snippet).map((line) => [/^\w+/.exec(line)?.[0] ?? '', line.replace(/^\w+=/, '')]),
    );
    // The settings are read first; this server signs no tokens.
    expect((await blockwork(['token', '--as', 'owner'], env)).out, snippet.place).toContain('identity provider');
  }
});

it('lists how many there are of each kind', () => {
  expect({
    running: running.length,
    ofTheRepository: commands.filter((each) => !isMarked(each) && isOfRepository(each)).length,
    settings: commands.filter(areSettings).length,
    ...counted(commands.filter(isMarked)),
  }).toMatchInlineSnapshot(`
    {
      "ofTheRepository": 11,
      "running": 11,
      "settings": 1,
      "sh no-run": 27,
    }
  `);
});
