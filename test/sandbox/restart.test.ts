/** What a sandbox still knows when it begins again, with a folder and with the store of the engine. */
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { silentLogger, type PolicyStore } from '@blockwork/core';
import { createSandbox, sandboxStateIn, type SandboxOptions } from '@blockwork/sandbox';
import { openLowdbStore } from '@blockwork/store-lowdb';
import { openPostgresStore } from '@blockwork/store-postgres';
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolders } from '../support/folders.js';
import { describeWithDatabase, empty } from '../support/postgres/database.js';
import { plots } from './support/plots.js';
import { openSandboxWorld, type SandboxWorld } from './support/world.js';

const newFolder = temporaryFolders();
const secret = randomBytes(32);
const key = { hederaAccountId: '0.0.4711', hederaAccountKey: '302e…' };
const registry = {
  username: 'registry',
  password: 'x',
  role: 'STANDARD_REGISTRY',
  did: 'did:example:registry',
} as const;

let folder: string;
let world: SandboxWorld;

/** A store, and the options that say where the sandbox keeps its state. */
interface Place {
  readonly store: PolicyStore;
  readonly options: Partial<SandboxOptions>;
}
const inFolder = async (): Promise<Place> => ({
  store: await openLowdbStore({ folder: join(folder, 'store'), logger: silentLogger }),
  options: { folder },
});
let openPlace = inFolder;

/** The same store and secret each time, as a server has them. */
async function begin(options: Partial<SandboxOptions> = {}): Promise<void> {
  const place = await openPlace();
  world = await openSandboxWorld(
    { secret, accounts: [registry], ...place.options, ...options },
    undefined,
    place.store,
  );
}
async function beginAgain(options: Partial<SandboxOptions> = {}): Promise<void> {
  await world.close();
  await begin(options);
}

/** Of the tests of one place. */
const beginIn = (open: () => Promise<Place>): void => {
  beforeEach(async () => {
    folder = await newFolder();
    openPlace = open;
    await begin();
  });
  afterEach(() => world.close());
};

const attempt = (username: string, password = 'x') =>
  world.ask('POST', 'accounts/login', { json: { username, password } });
const login = async (username: string, password = 'x') =>
  (await attempt(username, password)).body as { accessToken: string; refreshToken: string; did: string | null };
const register = (username: string, role = 'USER') =>
  world.ask('POST', 'accounts/register', { json: { username, password: 'x', role } });
const profile = async (username: string): Promise<string> => {
  const { accessToken: token } = await login(username);
  await world.ask('PUT', `profiles/${username}`, { token, json: key });
  return String((await login(username)).did);
};

/** Whatever keeps it. */
function restarts(): void {
  it('accounts keep their passwords, DIDs, ledger accounts and sessions', async () => {
    await register('ann');
    await register('bob');
    const did = await profile('ann');
    const { accessToken, refreshToken } = await login('ann');
    const before = (await world.ask('GET', 'accounts/session', { token: accessToken })).body;
    await beginAgain();
    expect((await login('ann')).did).toBe(did);
    expect(await attempt('ann', 'y')).toMatchObject({ status: 401 });
    expect((await login('bob')).did).toBeNull();
    expect((await world.ask('GET', 'accounts/session', { token: accessToken })).body).toEqual(before);
    expect((await world.ask('POST', 'accounts/access-token', { json: { refreshToken } })).status).toBe(201);
    expect(await register('ann')).toMatchObject({ status: 409 });
  });

  it('what clients have made is there again, and what they deleted is not', async () => {
    const { accessToken: token } = await login('registry');
    const post = (path: string, json: object) => world.ask('POST', path, { token, json });
    await post('schemas/0.0.5', { name: 'Site' });
    await post('tags/schemas', { name: 'Audit' });
    await post('schemas/system/registry', { name: 'Profile', entity: 'USER' });
    await post('tokens', { tokenName: 'Credit', tokenSymbol: 'CRD' });
    await post('modules', { name: 'Checks', config: { blockType: 'module' } });
    await post('tools', { name: 'Sums', config: { blockType: 'tool' } });
    await post('themes', { name: 'Dark' });
    const { body: gone } = await post('themes', { name: 'Gone' });
    await post('branding', { companyName: 'North' });
    await post('tags', { name: 'seen', entity: 'Token', target: 't1' });
    await world.ask('POST', 'ipfs/file', { token, bytes: Buffer.from('hello') });
    await world.ask('DELETE', `themes/${String(gone.id)}`, { token });
    const read = async (): Promise<unknown[]> => {
      const lists = [
        'schemas/0.0.5',
        'tags/schemas',
        'schemas/system/registry',
        'tokens',
        'modules',
        'tools',
        'themes',
      ];
      const file = 'ipfs/file/bafkreibm6jg3ux5qumhcn2b3flc3tyu6dmlb4xa7u5bf44yegnrjhc4yeq';
      const answers = [...lists, 'branding', file].map((path) => world.ask('GET', path, { token }));
      const tags = world.ask('POST', 'tags/search', { token, json: { entity: 'Token', target: 't1' } });
      return [
        ...(await Promise.all(answers)).map(({ body, text }) => (body as unknown) ?? text),
        (await tags).body.t1.tags as unknown,
      ];
    };
    const before = await read();
    await beginAgain();
    expect(await read()).toEqual(before);
    expect(JSON.stringify(before)).toContain('Dark');
    expect(JSON.stringify(before)).not.toContain('Gone');
  });

  it('a trial keeps its virtual users and the active one', async () => {
    const { accessToken: token } = await login('registry');
    const imported = await world.ask('POST', 'policies/import/file', { token, bytes: plots[0]!.archive });
    const path = `policies/${String(imported.body[0].id)}`;
    await world.ask('PUT', `${path}/dry-run`, { token, json: {} });
    const added = (await world.ask('POST', `${path}/dry-run/user`, { token, form: {} })).body as { did: string }[];
    const did = added.at(-1)!.did;
    await world.ask('POST', `${path}/dry-run/login`, { token, json: { did } });
    await world.ask('POST', `${path}/tag/choose_role/blocks`, { token, json: { role: 'Producer' } });
    const before = (await world.ask('GET', `${path}/dry-run/users`, { token })).body as unknown;
    await beginAgain();
    expect((await world.ask('GET', `${path}/dry-run/users`, { token })).body).toEqual(before);
    expect((await world.ask('GET', path, { token })).body.userRole).toBe('Producer');
    await world.ask('PUT', `${path}/draft`, { token, json: {} });
    await beginAgain();
    await world.ask('PUT', `${path}/dry-run`, { token, json: {} });
    expect((await world.ask('GET', `${path}/dry-run/users`, { token })).body).toHaveLength(1);
  });

  it('a configured account keeps the DID of its profile, has the password of the configuration, and is gone with it', async () => {
    const ann = { username: 'ann', password: 'x', role: 'USER' } as const;
    await beginAgain({ accounts: [registry, ann] });
    const did = await profile('ann');
    await register('bob');
    await beginAgain({ accounts: [{ ...ann, password: 'z' }] });
    expect((await login('ann', 'z')).did).toBe(did);
    for (const [name, password] of [
      ['ann', 'x'],
      ['registry', 'x'],
    ] as const)
      expect((await attempt(name, password)).status).toBe(401);
    await beginAgain({ accounts: [] });
    for (const password of ['x', 'z']) expect((await attempt('ann', password)).status).toBe(401);
    expect((await attempt('bob')).status).toBe(200);
    await beginAgain({ accounts: [ann, { ...registry, username: 'bob', password: 'b', did: 'did:example:other' }] });
    expect((await login('ann')).did).toBe(did);
    expect((await attempt('bob')).status).toBe(401);
    expect((await login('bob', 'b')).did).toBe('did:example:other');
  });
}

describe('a sandbox with a folder', () => {
  beginIn(inFolder);
  restarts();

  it('registrations at once are all kept, in a file for its owner only, without passwords', async () => {
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => register(name)));
    const file = join(folder, 'sandbox.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const { accounts } = JSON.parse(await readFile(file, 'utf8')) as { accounts: { username: string }[] };
    expect(accounts.map(({ username }) => username).sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'registry']);
    expect(accounts.find(({ username }) => username === 'registry')).toMatchObject({ password: null });
  });

  it('a file that cannot be used is named, and is left as it is', async () => {
    const file = join(folder, 'sandbox.json');
    for (const [content, place] of [
      ['{', 'JSON'],
      ['{"version":2}', '/version'],
      ['{"version":1,"accounts":[{"id":5}]}', '/accounts/0/id'],
    ] as const) {
      await writeFile(file, content);
      expect(() => createSandbox({ secret, folder })).toThrow(new RegExp(`${file} is damaged at .*${place}`));
      expect(await readFile(file, 'utf8')).toBe(content);
    }
  });

  it('what cannot be written is said, and kept as soon as it can', async () => {
    // A folder in place of the file that is written first.
    await mkdir(join(folder, 'sandbox.json.tmp'));
    expect(await register('ann')).toMatchObject({ status: 503, body: { error: 'STATE_NOT_KEPT' } });
    expect((await attempt('ann')).status).toBe(200);
  });
});

await describeWithDatabase('a sandbox in the store of PostgreSQL', (database) => {
  const inDatabase = async (): Promise<Place> => {
    const store = await openPostgresStore({ address: database.address() });
    return { store, options: { state: await sandboxStateIn(store) } };
  };
  beginIn(inDatabase);
  afterEach(() => empty(database));
  restarts();

  it('registrations at once are all kept', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    await Promise.all(names.map((name) => register(name)));
    await beginAgain();
    for (const name of names) expect((await attempt(name)).status).toBe(200);
  });

  it('belongs to one process at a time: another one says what it cannot keep', async () => {
    const first = world;
    await begin();
    await register('ann');
    const refused = await first.ask('POST', 'accounts/register', {
      json: { username: 'bob', password: 'x', role: 'USER' },
    });
    expect(refused).toMatchObject({ status: 503, body: { error: 'STATE_NOT_KEPT' } });
    await first.close();
    await beginAgain();
    expect([(await attempt('ann')).status, (await attempt('bob')).status]).toEqual([200, 401]);
  });

  it('is not begun with what is damaged', async () => {
    await register('ann');
    await database.query(
      `update blockwork.record set body = '{"id":"sandbox","content":{"version":2}}' where kind = 'layer-state'`,
    );
    const { store, options } = await inDatabase();
    expect(() => createSandbox({ secret, ...options })).toThrow(
      'the record "sandbox" of the store is damaged at /version',
    );
    await store.close();
  });
});

it('two accounts of one name are a mistake', () => {
  expect(() => createSandbox({ secret, accounts: [registry, { ...registry, did: 'did:example:other' }] })).toThrow(
    'different names',
  );
});
