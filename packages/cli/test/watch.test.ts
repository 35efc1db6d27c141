/** `blockwork serve --watch`: policies are edited while they are served. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { start, type RunningServer } from '../src/serve/server.js';
import { readSettings } from '../src/serve/settings.js';
import { run } from './support/run.js';

let folder: string;
let policies: string;
let running: RunningServer | undefined;
let output: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockwork-watch-'));
  policies = join(folder, 'policies');
  await mkdir(policies);
});
afterEach(async () => {
  await running?.close();
  running = undefined;
  await rm(folder, { recursive: true });
});

const env = (): Record<string, string> => ({
  BLOCKWORK_DATA: join(folder, 'data'),
  BLOCKWORK_PORT: '0',
  BLOCKWORK_LOG: 'silent',
  BLOCKWORK_POLICIES: policies,
});

async function startHere(watches = true): Promise<void> {
  await running?.close();
  output = [];
  running = await start(readSettings(env()), (line) => output.push(line), { watches });
}

const page = (tag: string, more: object = {}) => ({
  blockType: 'informationBlock',
  tag,
  permissions: ['ANY_ROLE'],
  ...more,
});
const join_ = { blockType: 'policyRolesBlock', tag: 'join', permissions: ['NO_ROLE'], roles: ['Visitor'] };
const parks = (...children: object[]) => ({
  name: 'Parks',
  policyRoles: ['Visitor'],
  config: {
    blockType: 'interfaceContainerBlock',
    tag: 'root',
    permissions: ['ANY_ROLE'],
    children: [join_, ...children],
  },
});
const save = (value: unknown, name = 'parks.policy.json'): Promise<void> =>
  writeFile(join(policies, name), typeof value === 'string' ? value : JSON.stringify(value));

/** What is said about the file next. */
async function next(file = 'parks.policy.json'): Promise<string> {
  const text = await vi.waitFor(
    () => {
      const line = output.find((each) => each.startsWith(`\n${file}: `));
      if (line === undefined) throw new Error(`nothing was said about ${file}: ${output.join('\n')}`);
      return line;
    },
    { timeout: 60_000 },
  );
  output = output.filter((each) => each !== text);
  return text.trim();
}

async function ask(method: string, path: string, body?: unknown, who = 'owner'): Promise<unknown> {
  const { out } = await run(['token', '--as', who], { env: env() });
  const answer = await fetch(`${running?.url ?? ''}/api/v1/policies/parks${path}`, {
    method,
    headers: { authorization: `Bearer ${out.trim()}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return await answer.json();
}
const read = (tag: string): Promise<unknown> => ask('GET', `/tag/${tag}/blocks`);
const roles = async (who: string): Promise<unknown> =>
  ((await ask('GET', '', undefined, who)) as { userRoles: unknown }).userRoles;

test('a draft is replaced whenever its file is saved, and what was done in it stays', async () => {
  await save(parks(page('welcome')));
  await startHere();
  expect(output.join('\n')).toContain(`Watching ${policies}`);
  await ask('POST', '/tag/join/blocks', { role: 'Visitor' }, 'vera');

  await save(parks(page('welcome'), page('map', { permissions: ['Visitor'] })));
  expect(await next()).toBe(
    [
      'parks.policy.json: reloaded. The data of the draft is kept: documents, roles, and block states by tag.',
      'Permissions of roles',
      '  Visitor: can now see "map" (informationBlock)',
      'Blocks',
      '  map: new informationBlock in "root"',
      'Events',
      '  welcome: new: RunEvent -> "map" RunEvent',
      '  map: new: RefreshEvent -> "root" RefreshEvent',
    ].join('\n'),
  );
  expect(await ask('GET', '/tag/map/blocks', undefined, 'vera')).toMatchObject({ blockType: 'informationBlock' });
  expect(await roles('vera')).toEqual(['Visitor']);
});

test('a file with errors replaces nothing, and is told once more when it is mended', async () => {
  await save(parks(page('welcome')));
  await startHere();
  await save(parks({ blockType: 'teleportBlock', tag: 'beam', permissions: ['ANY_ROLE'] }));
  const refused = await next();
  expect(refused).toContain('not reloaded because of errors; the policy is unchanged');
  expect(refused).toMatch(/parks\.policy\.json:1:\d+ {2}error {8}BLOCK_TYPE_UNKNOWN {2}beam: /);
  expect(refused).toContain('welcome: gone');
  expect(await read('welcome')).toMatchObject({ blockType: 'informationBlock' });

  await save('{ "name": ');
  expect(await next()).toMatch(/not reloaded, the policy is unchanged: .*parks\.policy\.json is not valid JSON/);
  await save(parks(page('goodbye')));
  expect(await next()).toContain('goodbye: new informationBlock');
  expect(await read('welcome')).toMatchObject({ error: 'BLOCK_UNKNOWN' });
});

test('a dry run begins anew, and what it held is counted', async () => {
  await save(parks(page('welcome')));
  await startHere();
  await ask('PUT', '/dry-run');
  await ask('POST', '/tag/join/blocks', { role: 'Visitor' }, 'vera');
  await save(parks(page('map')));
  expect(await next()).toContain(
    'The dry run was restarted: 1 document and 1 membership of the previous one were deleted.',
  );
  expect(await ask('GET', '')).toMatchObject({ status: 'DRY-RUN' });
  // One unit: the policy was never a draft in between.
  expect(await ask('GET', '/journal')).toMatchObject([{ cause: { type: 'lifecycle', action: 'replace' } }]);
  expect(await read('map')).toMatchObject({ blockType: 'informationBlock' });
  expect(await roles('vera')).toEqual(['No role']);
});

test('a published policy goes on as it was, and it is said what the file would change', async () => {
  await save(parks(page('welcome')));
  await startHere();
  await ask('PUT', '/publish', { policyVersion: '1.0.0' });
  await save(parks(page('map')));
  const text = await next();
  expect(text).toContain('not reloaded. The policy is PUBLISH, version 1.0.0 and in use; it is unchanged');
  expect(text).toContain('POST /policies/parks/versions');
  expect(text).toContain('map: new informationBlock');
  expect(await read('welcome')).toMatchObject({ blockType: 'informationBlock' });
});

test('a name that another policy has is no difference to the file', async () => {
  await save({ ...parks(page('welcome')), id: 'other' }, 'a.policy.json');
  await save(parks(page('welcome')));
  await startHere();
  const { name } = (await ask('GET', '')) as { name: string };
  expect(name).toMatch(/^Parks_\d+$/);
  await ask('PUT', '/dry-run');
  await ask('POST', '/tag/join/blocks', { role: 'Visitor' }, 'vera');
  await startHere();
  expect(output.filter((line) => line.includes('restarted'))).toEqual([]);
  expect(await roles('vera')).toEqual(['Visitor']);

  await save(parks(page('map')));
  const text = await next();
  expect(text).toContain('map: new informationBlock');
  expect(text).not.toContain(name);
});

test('files come, go, and are laid out anew', async () => {
  await save(parks(page('welcome')));
  await startHere();
  await save(JSON.stringify(parks(page('welcome')), null, 2));
  await save({ ...parks(), name: 'Lakes' }, 'lakes.policy.json');
  expect(await next('lakes.policy.json')).toBe('lakes.policy.json: loaded');
  await save([], 'lakes.documents.json');
  expect(await next('lakes.documents.json')).toContain('Documents are loaded only with a new policy');
  await rm(join(policies, 'parks.policy.json'));
  expect(await next()).toBe('parks.policy.json: removed. The policy is kept until it is deleted.');
  expect(await read('welcome')).toMatchObject({ blockType: 'informationBlock' });
  await ask('DELETE', '');
  await save(parks(page('map')));
  expect(await next()).toBe('parks.policy.json: loaded');
  expect(output.filter((line) => line.startsWith('\n') && line.includes('policy.json: '))).toEqual([]);
});

test('what was edited while nothing ran is reloaded by a start that watches, and by no other', async () => {
  await save(parks(page('welcome')));
  await startHere();
  await running?.close();
  await save(parks(page('map')));
  await startHere(false);
  expect(await read('map')).toMatchObject({ error: 'BLOCK_UNKNOWN' });
  await startHere();
  expect(await next()).toContain('map: new informationBlock');
  expect(await read('map')).toMatchObject({ blockType: 'informationBlock' });
});
