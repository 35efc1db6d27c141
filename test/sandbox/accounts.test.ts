/** Accounts, sessions, profiles and tasks of the sandbox. */
import { createEngine, silentLogger } from '@blockwork/core';
import { createPolicyServer, signDevelopmentToken } from '@blockwork/http-koa';
import { createSandbox } from '@blockwork/sandbox';
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSandboxWorld, type SandboxWorld } from './support/world.js';

const ann = { username: 'ann', password: 'secret of ann' };
const key = { hederaAccountId: '0.0.4711', hederaAccountKey: '302e…' };

let world: SandboxWorld;
beforeEach(async () => {
  world = await openSandboxWorld({ limits: { accounts: 3 } }, []);
});
afterEach(() => world.close());

const register = (username: string, role = 'USER') =>
  world.ask('POST', 'accounts/register', { json: { ...ann, username, role } });
const login = async (username = 'ann'): Promise<{ accessToken: string; refreshToken: string }> =>
  (await world.ask('POST', 'accounts/login', { json: { ...ann, username } })).body as Awaited<ReturnType<typeof login>>;

it('an account is shown without anything about its password, and its name is taken once', async () => {
  const account = await register('ann');
  expect(account).toMatchObject({ status: 201, body: { username: 'ann', role: 'USER', did: null } });
  expect(account.text).not.toMatch(/password|salt|hash|secret/);
  const answers = await Promise.all([register('bob'), register('bob')]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  const [refused] = answers.filter(({ status }) => status === 409);
  expect(refused?.body).toMatchObject({
    ...{ statusCode: 409, code: 409, error: 'ACCOUNT_EXISTS' },
    message: 'An account with the same name already exists.',
  });
});

it('a wrong password and an unknown name get the same answer', async () => {
  await register('ann');
  const wrong = await world.ask('POST', 'accounts/login', { json: { ...ann, password: 'guess' } });
  const unknown = await world.ask('POST', 'accounts/login', { json: { ...ann, username: 'bob' } });
  for (const { status, body } of [wrong, unknown]) {
    expect({ status, ...body, requestId: '' }).toEqual({
      ...{ status: 401, statusCode: 401, code: 401, error: 'LOGIN_REFUSED', message: 'Unauthorized request' },
      requestId: '',
    });
  }
});

it.each([{}, { username: 'ann' }, { username: 5, password: 'x' }, { username: 'a'.repeat(201), password: 'x' }])(
  'what is no account is refused with each reason: %j',
  async (json) => {
    const refused = await world.ask('POST', 'accounts/register', { json });
    expect(refused).toMatchObject({
      status: 422,
      body: { error: 'INPUT_INVALID', details: expect.arrayContaining([expect.anything()]) },
    });
  },
);

it.each([['not JSON'], ['[1]'], ['{"__proto__":{"role":"x"}}']])(
  'a body that is no object is refused: %s',
  async (text) => {
    const headers = { 'content-type': 'application/json' };
    const refused = await world.ask('POST', 'accounts/login', { bytes: Buffer.from(text), headers });
    expect([400, 422]).toContain(refused.status);
  },
);

it('a refresh token gives access tokens, and is none', async () => {
  await register('ann');
  const { refreshToken } = await login();
  const renewed = await world.ask('POST', 'accounts/access-token', { json: { refreshToken } });
  expect(renewed).toMatchObject({ status: 201, body: { accessToken: expect.any(String) } });
  expect((await world.ask('GET', 'accounts/session', { token: renewed.body.accessToken })).body.username).toBe('ann');
  expect((await world.ask('GET', 'accounts/session', { token: refreshToken })).text).toBe('');
  expect((await world.ask('GET', 'policies', { token: refreshToken })).status).toBe(401);
  for (const other of [renewed.body.accessToken as string, 'nonsense', '']) {
    const refused = await world.ask('POST', 'accounts/access-token', { json: { refreshToken: other } });
    expect(refused).toMatchObject({ status: 401, body: { error: 'TOKEN_REFUSED' } });
  }
});

it('the session of nobody is an empty answer, everything else needs a token', async () => {
  expect(await world.ask('GET', 'accounts/session')).toMatchObject({ status: 200, text: '' });
  expect(await world.ask('GET', 'profiles/ann')).toMatchObject({ status: 401, body: { error: 'UNAUTHENTICATED' } });
  expect(await world.ask('GET', 'policies')).toMatchObject({ status: 401, body: { statusCode: 401 } });
});

it('an account without a DID sees no policies and may do nothing; its token is good as soon as it has one', async () => {
  await register('ann', 'STANDARD_REGISTRY');
  const { accessToken: token } = await login();
  const profile = (): Promise<unknown> =>
    world.ask('GET', 'profiles/ann', { token }).then(({ body }) => body as unknown);
  expect(await profile()).toMatchObject({ did: null, confirmed: false });
  expect(await world.ask('GET', 'policies', { token })).toMatchObject({ status: 200, body: [] });
  expect(await world.ask('GET', 'identities/keys', { token })).toMatchObject({
    status: 403,
    body: { error: 'NO_IDENTITY' },
  });

  for (const json of [{}, { hederaAccountId: '0.0.1' }, { hederaAccountKey: 'x' }]) {
    const refused = await world.ask('PUT', 'profiles/ann', { token, json });
    expect(refused).toMatchObject({ status: 403, body: { error: 'PROFILE_INCOMPLETE' } });
  }
  expect(await world.ask('PUT', 'profiles/ann', { token, json: key })).toMatchObject({ status: 204, text: '' });
  expect(await profile()).toMatchObject({
    did: expect.stringMatching(/^did:/),
    confirmed: true,
    hederaAccountId: '0.0.4711',
  });
  expect((await world.ask('GET', 'notifications', { token })).status).toBe(200);
});

it('a profile is set once: DID and ledger account stay', async () => {
  await register('ann');
  const { accessToken: token } = await login();
  await world.ask('PUT', 'profiles/ann', { token, json: key });
  const before = (await world.ask('GET', 'profiles/ann', { token })).body;
  await world.ask('PUT', 'profiles/ann', { token, json: { ...key, hederaAccountId: '0.0.1' } });
  expect((await world.ask('GET', 'profiles/ann', { token })).body).toEqual(before);
});

it('a push route answers with a task that is done, for whoever asked for it', async () => {
  await register('ann');
  await register('bob');
  const [{ accessToken: token }, { accessToken: other }] = [await login(), await login('bob')];
  const pushed = await world.ask('PUT', 'profiles/push/ann', { token, json: key });
  expect(pushed).toMatchObject({
    status: 202,
    body: { taskId: expect.any(String), expectation: 1, action: 'Connect user' },
  });
  const task = await world.ask('GET', `tasks/${pushed.body.taskId}`, { token });
  expect(task.body).toMatchObject({ result: expect.stringMatching(/^did:/), statuses: [{ type: 'Completed' }] });
  expect(await world.ask('GET', `tasks/${pushed.body.taskId}`, { token: other })).toMatchObject({
    status: 200,
    text: '',
  });

  const failing = await world.ask('PUT', 'profiles/push/bob', { token: other, json: {} });
  const failed = await world.ask('GET', `tasks/${failing.body.taskId}`, { token: other });
  expect(failed.body).toMatchObject({ error: { code: 403, message: expect.stringContaining('hederaAccountId') } });
  expect(failed.body.result).toBeUndefined();
});

it('demo keys come at once or as a task', async () => {
  await register('ann');
  const { accessToken: token } = await login();
  for (const path of ['demo/random-key', 'demo/randomKey']) {
    expect((await world.ask('GET', path, { token })).body).toEqual({
      id: expect.stringMatching(/^0\.0\.\d+$/),
      key: expect.any(String),
    });
  }
  const pushed = await world.ask('GET', 'demo/push/random-key', { token });
  const { body } = await world.ask('GET', `tasks/${pushed.body.taskId}`, { token });
  expect(body.result).toEqual({ id: expect.any(String), key: expect.any(String) });
});

it('a full sandbox gives up the registration that has waited longest for its profile, and no complete account', async () => {
  for (const name of ['a', 'b', 'c']) expect((await register(name)).status).toBe(201);
  const { accessToken: token } = await login('a');
  expect((await world.ask('PUT', 'profiles/a', { token, json: key })).status).toBe(204);
  expect((await register('d')).status).toBe(201);
  const attempt = (username: string) => world.ask('POST', 'accounts/login', { json: { ...ann, username } });
  const statuses = await Promise.all(['a', 'b', 'c', 'd'].map(async (name) => (await attempt(name)).status));
  expect(statuses).toEqual([200, 401, 200, 200]);
  for (const name of ['c', 'd']) {
    const { accessToken } = await login(name);
    await world.ask('PUT', `profiles/${name}`, { token: accessToken, json: key });
  }
  expect(await register('e')).toMatchObject({ status: 507, body: { error: 'SANDBOX_FULL' } });
});

it('tokens that others have signed still work, and slashes at the end do not matter', async () => {
  const token = signDevelopmentToken(world.secret, { did: 'did:example:me', role: 'USER', username: 'me' });
  expect((await world.ask('GET', 'accounts/session/', { token })).body).toMatchObject({
    username: 'me',
    did: 'did:example:me',
  });
  expect(await world.ask('GET', 'policies/', { token })).toMatchObject({ status: 200, body: [] });
  expect(await world.ask('PUT', 'profiles/me', { token, json: key })).toMatchObject({
    status: 404,
    body: { error: 'ACCOUNT_UNKNOWN' },
  });
});

it('the methods of a path are told, and unknown paths are', async () => {
  expect(await world.ask('DELETE', 'accounts/login')).toMatchObject({ status: 405, headers: { allow: 'POST' } });
  expect((await world.ask('GET', 'accounts/nothing')).status).toBe(404);
});

it('a server with a sandbox listens at this machine only, unless it is told otherwise', async () => {
  const secret = randomBytes(32);
  const engine = createEngine();
  const auth = { secret };
  const server = createPolicyServer(engine, { auth, sandbox: createSandbox({ secret }), logger: silentLogger });
  await expect(server.listen({ host: '0.0.0.0', port: 0 })).rejects.toMatchObject({ code: 'OPTION_INVALID' });
  const open = createSandbox({ secret, allowAnyHost: true });
  const other = createPolicyServer(engine, { auth, sandbox: open, logger: silentLogger });
  await other.listen({ host: '0.0.0.0', port: 0 });
  expect(() => createPolicyServer(engine, { auth, sandbox: open })).toThrow('another server');
  await Promise.all([server.close(), other.close()]);
  await engine.close();
});

it('the log of a server says that its sandbox is on', () => {
  const lines: string[] = [];
  const say = (line: string): void => void lines.push(line);
  const logger = { debug: say, info: say, warn: say, error: say };
  const secret = randomBytes(32);
  createPolicyServer(createEngine(), { auth: { secret }, sandbox: createSandbox({ secret }), logger });
  expect(lines).toEqual([expect.stringContaining('Not for production')]);
});

it('accounts can be there from the start, and wrong options are named', async () => {
  const account = {
    username: 'registry',
    password: 'test',
    role: 'STANDARD_REGISTRY',
    did: 'did:example:registry',
  } as const;
  const prepared = await openSandboxWorld({ accounts: [account] });
  const { body } = await prepared.ask('POST', 'accounts/login', { json: { username: 'registry', password: 'test' } });
  expect(body).toMatchObject({ did: 'did:example:registry', role: 'STANDARD_REGISTRY' });
  expect((await prepared.ask('GET', 'policies', { token: body.accessToken })).status).toBe(200);
  await prepared.close();
  expect(() => createSandbox({ secret: randomBytes(16) })).toThrow('sandbox.secret');
  expect(() => createSandbox({ secret: randomBytes(32), limits: { tasks: 0 } })).toThrow('sandbox.limits.tasks');
});
