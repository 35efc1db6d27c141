/** The server over a folder of policies, started in this process. */
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { start, type RunningServer } from '../src/server.js';
import { readSettings } from '../src/settings.js';
import { explain } from '../src/startup-error.js';

let folder: string;
let running: RunningServer | undefined;
let said: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockwork-serve-'));
});

afterEach(async () => {
  await running?.close();
  running = undefined;
  await rm(folder, { recursive: true });
});

/** Starts on the data of this test; what it prints is in `said`. */
async function startHere(variables: Record<string, string> = {}): Promise<RunningServer> {
  said = [];
  const settings = readSettings({
    BLOCKWORK_DATA: join(folder, 'data'),
    BLOCKWORK_PORT: '0',
    BLOCKWORK_LOG: 'silent',
    ...variables,
  });
  running = await start(settings, (line) => said.push(line));
  return running;
}

async function stop(): Promise<void> {
  await running?.close();
  running = undefined;
}

/** Runs the printed curl line below a heading, without curl. */
async function paste(heading: string): Promise<{ status: number; body: unknown }> {
  const lines = said.join('\n').split('\n');
  const line = lines[lines.findIndex((candidate) => candidate.startsWith(`# ${heading}`)) + 1] ?? '';
  const token = /Bearer ([^']+)'/.exec(line)?.[1] ?? '';
  const url = /'(http[^']+)'$/.exec(line)?.[1] ?? '';
  const file = /--data '@([^']+)'/.exec(line)?.[1];
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${token}`, ...(file && { 'content-type': 'application/json' }) },
    ...(file && { method: 'PUT', body: await readFile(file, 'utf8') }),
  });
  return { status: response.status, body: await response.json() };
}

test('every printed request works, the approval also a second time', async () => {
  await startHere();

  expect(await paste('The owner: a page')).toMatchObject({
    status: 200,
    body: { totalCount: 137, page: 2, pageSize: 5 },
  });
  expect(await paste('A project developer')).toMatchObject({ status: 200, body: { totalCount: 12 } });
  expect(await paste('A visitor')).toMatchObject({
    status: 200,
    body: { roles: ['Project Developer', 'Grid Operator'] },
  });
  const approved = await paste('The owner approves');
  expect(approved).toMatchObject({ status: 200, body: { name: 'Solar Irrigation Pilot' } });
  expect(await paste('The owner approves')).toEqual(approved);
});

test('a second start keeps the data, and adds nothing', async () => {
  await startHere();
  await stop();

  await startHere();

  expect(said).toContain('renewable-energy.policy.json: loaded before');
  expect(await paste('The owner: a page')).toMatchObject({ status: 200, body: { totalCount: 137 } });
  expect(await paste('A project developer')).toMatchObject({ status: 200 });
});

test('a start that ended between the import and the note of it is made up for', async () => {
  await startHere();
  await stop();
  await rm(join(folder, 'data', 'loaded.json'));

  await startHere();

  expect(said).toContain('renewable-energy.policy.json: loaded, with 137 documents');
  expect(await paste('The owner: a page')).toMatchObject({ body: { totalCount: 137 } });
});

test('policies of another folder: a broken file is told, and the others are loaded', async () => {
  const policies = join(folder, 'policies');
  await mkdir(policies);
  const config = { blockType: 'interfaceContainerBlock', tag: 'root', permissions: ['ANY_ROLE'] };
  await writeFile(join(policies, 'good.policy.json'), JSON.stringify({ name: 'Good', description: '', config }));
  await writeFile(join(policies, 'broken.policy.json'), '{ "name": ');
  await writeFile(join(policies, 'no-archive.policy'), 'not a zip');

  await startHere({ BLOCKWORK_POLICIES: policies });

  expect(said).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^broken\.policy\.json: not loaded: .*broken\.policy\.json is no JSON/),
      expect.stringMatching(/^no-archive\.policy: not loaded: /),
      'good.policy.json: loaded, without documents',
    ]),
  );
  expect(await paste('The owner: all policies')).toMatchObject({ status: 200, body: [{ id: 'good' }] });
});

test('the secret is made once, and is for its owner only', async () => {
  await startHere();
  const file = join(folder, 'data', 'jwt-secret');
  const before = await readFile(file, 'utf8');
  await stop();

  await startHere();

  expect(await readFile(file, 'utf8')).toBe(before);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('a port in use, a store in use and a folder that cannot be written are one line each', async () => {
  const { url } = await startHere();
  const port = new URL(url).port;
  const reason = async (variables: Record<string, string>): Promise<string | undefined> =>
    start(readSettings({ BLOCKWORK_PORT: '0', ...variables }), () => undefined).then(
      () => 'started',
      (error: unknown) => explain(error),
    );

  expect(await reason({ BLOCKWORK_DATA: join(folder, 'other'), BLOCKWORK_PORT: port })).toContain(`Port ${port}`);
  expect(await reason({ BLOCKWORK_DATA: join(folder, 'data') })).toContain('in use');
  await writeFile(join(folder, 'a-file'), '');
  expect(await reason({ BLOCKWORK_DATA: join(folder, 'a-file') })).toContain('BLOCKWORK_DATA');
  expect(await reason({ BLOCKWORK_DATA: join(folder, 'third'), BLOCKWORK_POLICIES: '/nowhere' })).toContain(
    'BLOCKWORK_POLICIES',
  );
});
