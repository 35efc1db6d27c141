/** `blockwork serve --sandbox` as a process: what it is configured with, and what it knows after it was killed. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { programEnv } from '../../../test/support/build-program.js';
import { temporaryFolders } from '../../../test/support/folders.js';
import { start } from '../src/serve/server.js';
import { readSettings } from '../src/serve/settings.js';
import { bundledProgram } from '../../../test/support/bundled-program.js';

const example = fileURLToPath(new URL('../../../examples/test-a-policy/sunlight.policy.json', import.meta.url));
const messageId = '1707125414.999819805';
const newFolder = temporaryFolders();

let [program, folder] = ['', ''];

beforeAll(async () => {
  program = await bundledProgram(await newFolder());
});

beforeEach(async () => {
  folder = await newFolder();
  await mkdir(join(folder, 'messages'));
  await mkdir(join(folder, 'policies'));
  await writeFile(join(folder, 'messages', `${messageId}.policy.json`), await readFile(example));
  const accounts = [
    { username: 'north', password: 'of north', role: 'STANDARD_REGISTRY', did: 'did:example:north' },
    { username: 'ann', password: 'of ann', role: 'USER', parent: 'did:example:north' },
  ];
  await writeFile(join(folder, 'accounts.json'), JSON.stringify(accounts));
});

const running: ChildProcess[] = [];
afterEach(() => Promise.all(running.splice(0).map(kill)));

/** As the machine does when it runs out of memory. */
async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const settings = (): Record<string, string> => ({
  BLOCKWORK_PORT: '0',
  BLOCKWORK_DATA: join(folder, 'data'),
  BLOCKWORK_POLICIES: join(folder, 'policies'),
  BLOCKWORK_SANDBOX_ACCOUNTS: join(folder, 'accounts.json'),
  BLOCKWORK_SANDBOX_MESSAGES: join(folder, 'messages'),
});

interface Answer {
  readonly status: number;
  readonly body: never;
}

type Ask = (method: string, path: string, token?: string, body?: object) => Promise<Answer>;

/** Rejects if the process ends instead of serving. */
async function serve(): Promise<Ask> {
  const cliModules = fileURLToPath(new URL('../node_modules', import.meta.url));
  const env = { ...programEnv, NODE_PATH: `${programEnv.NODE_PATH}${delimiter}${cliModules}`, ...settings() };
  const child = spawn(process.execPath, [program, 'serve', '--sandbox'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  running.push(child);
  const url = await new Promise<string>((resolve, reject) => {
    let written = '';
    for (const output of [child.stdout, child.stderr])
      output.on('data', (text) => {
        written += String(text);
        const served = /Serving (http:\S+)\/api\/v1/.exec(written)?.[1];
        if (served !== undefined) resolve(served);
      });
    child.on('exit', () => reject(new Error(`The server has ended:\n${written}`)));
  });
  return async (method, path, token, body) => {
    const headers = {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const sent = await fetch(`${url}/api/v1/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await sent.text();
    return { status: sent.status, body: (text === '' ? null : JSON.parse(text)) as never };
  };
}

const login = async (ask: Ask, username: string, password: string) =>
  (await ask('POST', 'accounts/login', undefined, { username, password })).body as { accessToken: string; did: string };

it('accounts, virtual users and their DIDs survive a kill, and so do sessions', async () => {
  const ask = await serve();
  await ask('POST', 'accounts/register', undefined, { username: 'bob', password: 'of bob', role: 'USER' });
  const people = [
    ['bob', 'of bob'],
    ['ann', 'of ann'],
    ['north', 'of north'],
  ] as const;
  for (const [username, password] of people) {
    const { accessToken } = await login(ask, username, password);
    await ask('PUT', `profiles/${username}`, accessToken, { hederaAccountId: '0.0.5', hederaAccountKey: 'x' });
  }
  const dids = (ask: Ask) =>
    Promise.all(people.map(async ([username, password]) => (await login(ask, username, password)).did));
  const before = await dids(ask);
  expect(new Set(before).size).toBe(3);
  expect(before[2]).toBe('did:example:north');

  const { accessToken: token } = await login(ask, 'north', 'of north');
  const imported = await ask('POST', 'policies/import/message', token, { messageId });
  expect(imported.status).toBe(201);
  const [{ id }] = imported.body as { id: string }[] as [{ id: string }];
  await ask('PUT', `policies/${id}/dry-run`, token, {});
  const users = (await ask('POST', `policies/${id}/dry-run/user`, token, {})).body as { did: string }[];
  const { did } = users.at(-1)!;
  const active = (await ask('POST', `policies/${id}/dry-run/login`, token, { did })).body as unknown;

  await Promise.all(running.splice(0).map(kill));
  const again = await serve();
  expect(await dids(again)).toEqual(before);
  expect((await again('GET', `policies/${id}/dry-run/users`, token)).body).toEqual(active);
});

describe('settings', () => {
  const started = async (changes: Record<string, string>): Promise<string[]> => {
    const output: string[] = [];
    const all = { ...settings(), BLOCKWORK_LOG: 'silent', BLOCKWORK_SANDBOX: 'loopback', ...changes };
    const server = await start(readSettings(all), (line) => output.push(line));
    await server.close();
    return output;
  };

  it('the line that says how to log in names the file of accounts', async () => {
    expect((await started({})).join('\n')).toContain(`log in with an account of ${join(folder, 'accounts.json')}`);
    expect((await started({ BLOCKWORK_SANDBOX_ACCOUNTS: '' })).join('\n')).toContain('log in as "registry"');
  });

  it.each([
    ['BLOCKWORK_SANDBOX_ACCOUNTS', 'missing.json', /^BLOCKWORK_SANDBOX_ACCOUNTS names .*missing\.json.*\(ENOENT\)/],
    ['BLOCKWORK_SANDBOX_MESSAGES', 'missing', /^BLOCKWORK_SANDBOX_MESSAGES names .*missing.*\(ENOENT\)/],
  ])('%s that is not there is named', async (variable, path, message) => {
    await expect(started({ [variable]: join(folder, path) })).rejects.toThrow(message);
  });

  it.each([
    ['{', /accounts\.json is not valid JSON/],
    ['{}', /accounts\.json are invalid: they must be a list/],
    ['[null]', /accounts\.json are invalid: .*sandbox\.accounts\[0\]/],
    ['[{"username":"a","password":"b","role":"OWNER"}]', /accounts\.json are invalid: .*sandbox\.accounts\[0\]\.role/],
  ])('accounts that are none are named: %s', async (content, message) => {
    await writeFile(join(folder, 'accounts.json'), content);
    await expect(started({})).rejects.toThrow(message);
  });

  it('what an earlier server kept is not overwritten when it is damaged', async () => {
    const file = join(folder, 'data', 'sandbox.json');
    await mkdir(join(folder, 'data'));
    await writeFile(file, '{"version":1,"accounts":[');
    await expect(started({})).rejects.toThrow(`${file} is damaged`);
    expect(await readFile(file, 'utf8')).toBe('{"version":1,"accounts":[');
  });

  it('without a sandbox they are refused, since they would do nothing', () => {
    for (const name of ['BLOCKWORK_SANDBOX_ACCOUNTS', 'BLOCKWORK_SANDBOX_MESSAGES'])
      expect(() => readSettings({ [name]: folder })).toThrow(new RegExp(`^${name} needs BLOCKWORK_SANDBOX`));
  });
});
