/** The server over a folder of policies, started in this process. */
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { standardBlocks } from '@blockwork/blocks';
import { createEngine, SeededKeys, silentLogger, type Caller } from '@blockwork/core';
import { signDevelopmentToken } from '@blockwork/http-koa';
import { openLowdbStore } from '@blockwork/store-lowdb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { holdTimer } from '../../../test/support/held-timer.js';
import { keySeed } from '../src/serve/secret.js';
import { start, type RunningServer } from '../src/serve/server.js';
import { readSettings } from '../src/serve/settings.js';
import { explain } from '../src/serve/startup-error.js';
import { run } from './support/run.js';

const examples = fileURLToPath(new URL('../../../examples/serve/policies', import.meta.url));
let folder: string;
let running: RunningServer | undefined;
let output: string[];

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
  output = [];
  const settings = readSettings({
    BLOCKWORK_DATA: join(folder, 'data'),
    BLOCKWORK_PORT: '0',
    BLOCKWORK_LOG: 'silent',
    BLOCKWORK_POLICIES: examples,
    ...variables,
  });
  running = await start(settings, (line) => output.push(line));
  return running;
}

async function stop(): Promise<void> {
  await running?.close();
  running = undefined;
}

/** The printed commands that begin like this. */
const printed = (start: string): string[] =>
  output
    .join('\n')
    .split('\n')
    .filter((line) => line.startsWith(start));

/** Runs a printed line in a shell as it stands, but for the tokens: the command line that signs them runs in this process. */
async function paste(line: string): Promise<unknown> {
  let command = line;
  for (const [call, words = ''] of line.matchAll(/\$\(npx blockwork ([^)]+)\)/g)) {
    const { out } = await run(words.split(' ').map((word) => word.replaceAll("'", '')));
    command = command.replace(call, out.trim());
  }
  const { stdout } = await promisify(execFile)('sh', ['-c', command]);
  return JSON.parse(stdout);
}

/** The printed request whose address ends like this. */
async function pasteThatOf(path: string): Promise<unknown> {
  const line = printed('curl ').find((candidate) => candidate.includes(`${path}'`));
  if (line === undefined) throw new Error(`no line asks for ${path}:\n${output.join('\n')}`);
  return paste(line);
}

test('little is printed, and every printed line works when pasted, also a second time', async () => {
  await startHere();
  expect(output.join('\n').split('\n').length).toBeLessThanOrEqual(16);
  expect(printed('curl ')).toHaveLength(3);
  expect(output.join('\n')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console\/#code=[\w-]+$/m);
  expect(printed('npx blockwork token')).toHaveLength(1);

  for (const _ of ['once', 'again']) {
    expect(await pasteThatOf('/tag/apply/blocks')).toMatchObject({ owner: 'did:example:anna', signature: 1 });
    expect(await pasteThatOf('/external-policies/requests')).toMatchObject([
      { status: 'NEW', policyId: '5e73f4206642427f840fdd66' },
    ]);
  }
  const { data } = (await pasteThatOf('/tag/applications/blocks')) as { data: unknown[] };
  expect(data).toHaveLength(4);
});

test('a new policy can begin with the templates of projects', async () => {
  const { url } = await startHere();
  const { out } = await run(['token', '--as', 'owner'], { env: { BLOCKWORK_DATA: join(folder, 'data') } });
  const answer = await fetch(`${url}/api/v1/templates`, { headers: { authorization: `Bearer ${out.trim()}` } });
  const names = ((await answer.json()) as { name: string }[]).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['empty', 'form-approve-mint', 'registry']));
});

describe('the story of the demonstration', () => {
  test('is a policy without findings that passes its own test', async () => {
    const policy = join(examples, 'energy-certificates.policy.json');
    expect(await run(['validate', policy])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/ 0 errors, 0 warnings\n$/) as string,
    });
    expect(await run(['test', policy])).toMatchObject({ code: 0, err: '' });
  });

  const read = async (who: string, tag: string, query = ''): Promise<{ data: Record<string, unknown>[] }> => {
    const { out } = await run(['token', '--as', who], { env: { BLOCKWORK_DATA: join(folder, 'data') } });
    const url = `${running?.url ?? ''}/api/v1/policies/energy-certificates/tag/${tag}/blocks${query}`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${out.trim()}` } });
    return (await answer.json()) as { data: Record<string, unknown>[] };
  };
  const statuses = async (who: string, tag: string): Promise<unknown[]> =>
    (await read(who, tag)).data.map(({ option }) => (option as { status?: string }).status);

  test('every person finds something: decided, minted, and waiting', async () => {
    await startHere();
    expect(output.join('\n')).toContain('0 errors, 0 warnings');
    expect(output.join('\n')).not.toContain('Findings in');
    expect(await statuses('owner', 'applications')).toEqual(['Waiting', 'Approved']);
    expect(await statuses('vera', 'readings_to_verify')).toEqual(['Reported', 'Verified', 'Verified']);
    expect((await read('ben', 'my_sites')).data).toHaveLength(1);
    expect((await read('dora', 'choose_role')) as unknown).toMatchObject({ roles: ['Producer'] });
    const [certificate] = (await read('carl', 'certificates')).data;
    const { documents } = (await read('carl', 'trust_chain', `?hash=${String(certificate?.['hash'])}`))
      .data as unknown as { documents: { title: string }[] };
    expect(documents.map(({ title }) => title)).toEqual(['Mint', 'Verification', 'Reading', 'Site', 'Application']);
  });

  test('it is told once, and one that was interrupted is completed by the next start', async () => {
    const policies = join(folder, 'policies');
    await mkdir(policies);
    await startHere({ BLOCKWORK_POLICIES: policies });
    await stop();
    // As if the process had ended after the first steps.
    const logger = silentLogger;
    const store = await openLowdbStore({ folder: join(folder, 'data', 'store'), logger });
    const keys = new SeededKeys(await keySeed(readSettings({ BLOCKWORK_DATA: join(folder, 'data') })));
    const engine = createEngine({ store, keys, logger, blocks: standardBlocks() });
    const owner = { did: 'did:example:registry', role: 'STANDARD_REGISTRY' };
    const file = JSON.parse(await readFile(join(examples, 'energy-certificates.policy.json'), 'utf8')) as object;
    await engine.importPolicy(owner, { id: 'energy-certificates', ...file });
    await engine.lifecycle.publish(owner, 'energy-certificates', '1.0.0');
    const anna = { did: 'did:example:anna', username: 'anna', role: 'USER' };
    await engine.sendToBlock(anna, 'energy-certificates', { tag: 'choose_role' }, { group: 'Cooperative' });
    await engine.close();

    for (const _ of ['completed', 'left alone']) {
      await startHere();
      expect(await statuses('owner', 'applications')).toEqual(['Waiting', 'Approved']);
      expect(await statuses('vera', 'readings_to_verify')).toEqual(['Reported', 'Verified', 'Verified']);
      await stop();
    }
  });
});

test.each([
  ['a secret of the operator', { BLOCKWORK_JWT_SECRET: 'the operator keeps this one to himself' }],
  ['an address that others reach', { BLOCKWORK_HOST: '0.0.0.0' }],
])(
  'with %s there are no demo identities, no tokens and no trusted partner',
  async (_, variables: Record<string, string>) => {
    const { url } = await startHere(variables);
    expect(output.join('\n')).not.toContain('token');
    expect(output.join('\n')).toContain('Serving');
    expect(output.join('\n')).not.toContain('code=');
    const open = await fetch(`${url.replace('0.0.0.0', '127.0.0.1')}/console/sign-in`, { method: 'POST', body: '{}' });
    expect(open.status).toBe(405);
    const secret =
      variables['BLOCKWORK_JWT_SECRET'] ?? (await readFile(join(folder, 'data', 'jwt-secret'), 'utf8')).trim();
    const ask = async (caller: Caller, path: string): Promise<unknown> => {
      const token = signDevelopmentToken(Buffer.from(secret), caller);
      const address = `${url.replace('0.0.0.0', '127.0.0.1')}/api/v1${path}`;
      return (await fetch(address, { headers: { authorization: `Bearer ${token}` } })).json();
    };
    const owner = { did: 'did:example:registry', role: 'STANDARD_REGISTRY' };
    const anna = { did: 'did:example:anna', role: 'USER' };
    expect(await ask(owner, '/external-policies/requests')).toEqual([]);
    expect(await ask(owner, '/policies/energy-certificates')).toMatchObject({ userGroups: [], status: 'DRAFT' });
    expect(await ask(anna, '/policies/energy-certificates')).toMatchObject({ error: 'POLICY_UNKNOWN' });
  },
);

test('the printed address opens the console as any of the people, once', async () => {
  const { url } = await startHere();
  const [, code] = /\/console\/#code=([\w-]+)$/m.exec(output.join('\n')) ?? [];
  const exchange = () =>
    fetch(`${url}/console/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify({ code }),
    });
  const { tokens } = (await (await exchange()).json()) as { tokens: string[] };
  const names = tokens.map(
    (token) => (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Caller).username,
  );
  expect(names).toEqual(['registry', 'anna', 'ben', 'carl', 'vera', 'visitor']);
  for (const token of tokens) {
    const answer = await fetch(`${url}/api/v1/policies`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(200);
  }
  expect((await exchange()).status).toBe(403);
  await stop();
  await startHere();
  expect(output.join('\n')).toMatch(/#code=[\w-]{43}$/m);
  expect(output.join('\n')).not.toContain(code);
});

test('a silent server prints nothing at all', async () => {
  const env = { BLOCKWORK_DATA: join(folder, 'data'), BLOCKWORK_PORT: '0', BLOCKWORK_LOG: 'silent' };
  const ended = await run(['serve', examples], { env, stopped: () => Promise.resolve('SIGINT') });
  expect(ended).toEqual({ code: 0, out: '', err: '' });
});

/** A folder with one policy and two documents of it. */
async function withDocuments(): Promise<string> {
  const policies = join(folder, 'policies');
  await mkdir(policies);
  const source = {
    blockType: 'documentsSourceAddon',
    tag: 'source',
    permissions: ['ANY_ROLE'],
    dataType: 'vc-documents',
  };
  const config = {
    blockType: 'interfaceDocumentsSourceBlock',
    tag: 'grid',
    permissions: ['ANY_ROLE'],
    children: [source],
  };
  await writeFile(join(policies, 'small.policy.json'), JSON.stringify({ name: 'Small', description: '', config }));
  const document = { owner: 'did:example:a', document: { type: ['VerifiableCredential'] } };
  await writeFile(join(policies, 'small.documents.json'), JSON.stringify([document, document]));
  return policies;
}

/** How many documents the grid of that policy shows. */
async function shownDocuments(): Promise<unknown> {
  const { out } = await run(['token', '--as', 'owner'], { env: { BLOCKWORK_DATA: join(folder, 'data') } });
  const url = `${running?.url ?? ''}/api/v1/policies/small/tag/grid/blocks`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${out.trim()}` } });
  return ((await answer.json()) as { data: unknown[] }).data.length;
}

test('a second start keeps the data, and adds nothing', async () => {
  const policies = await withDocuments();
  await startHere({ BLOCKWORK_POLICIES: policies });
  expect(output).toContain('small.policy.json: loaded, with 2 documents');
  await stop();

  await startHere({ BLOCKWORK_POLICIES: policies });

  expect(output).toContain('small.policy.json: loaded before');
  expect(await shownDocuments()).toBe(2);
});

test('what a version before kept in loaded.json is taken over, once', async () => {
  const data = join(folder, 'data');
  await startHere({ BLOCKWORK_POLICIES: folder });
  const archive = await readFile(join(examples, 'energy-certificates.policy.json'), 'utf8');
  const { name, config } = JSON.parse(archive) as { name: string; config: object };
  await stop();
  const engine = createEngine({ store: await openLowdbStore({ folder: join(data, 'store') }) });
  const owner = { did: 'did:example:registry', role: 'STANDARD_REGISTRY' };
  const { policy } = await engine.importPolicy(owner, { id: 'under-another-id', name, config });
  await engine.close();
  const loaded = { policyId: policy.id, findings: { errors: 0, warnings: 0 }, documents: 137 };
  await writeFile(join(data, 'loaded.json'), JSON.stringify({ 'energy-certificates.policy.json': loaded }));

  await startHere();

  expect(output).toContain('energy-certificates.policy.json: loaded before');
  await expect(stat(join(data, 'loaded.json'))).rejects.toThrow('ENOENT');
  await stop();
  await startHere();
  expect(output).toContain('energy-certificates.policy.json: loaded before');
});

test('findings are printed with their place in the file and the block that they are about', async () => {
  const policies = join(folder, 'policies');
  await mkdir(policies);
  const note = { blockType: 'informationBlock', tag: 'note', permissions: ['ANY_ROLE'], dependencies: ['nowhere'] };
  const config = { blockType: 'interfaceContainerBlock', tag: 'root', permissions: ['ANY_ROLE'], children: [note] };
  const file = join(policies, 'found.policy.json');
  await writeFile(file, `// By hand.\n${JSON.stringify({ name: 'Found', config }, null, 2)}`);
  await startHere({ BLOCKWORK_POLICIES: policies });
  expect(output.join('\n')).toMatch(
    /\nFindings in found\.policy\.json:\n.*found\.policy\.json:\d+:\d+ {2}\w+ +DEPENDENCY_UNKNOWN {2}note: /,
  );
  await stop();
  await writeFile(file, '{ "name": ');
  await startHere({ BLOCKWORK_POLICIES: policies });
  expect(output.join('\n')).toContain('DEPENDENCY_UNKNOWN  note: ');
});

test('a policy that is here without its file having been loaded is not loaded again', async () => {
  await startHere();
  await stop();
  await mkdir(join(folder, 'policies'));
  const policy = await readFile(join(examples, 'energy-certificates.policy.json'), 'utf8');
  const renamed = { ...(JSON.parse(policy) as object), id: 'energy-certificates' };
  await writeFile(join(folder, 'policies', 'renamed.policy.json'), JSON.stringify(renamed));

  await startHere({ BLOCKWORK_POLICIES: join(folder, 'policies') });
  expect(output).toContain('renamed.policy.json: here already');
  await stop();
  await startHere({ BLOCKWORK_POLICIES: join(folder, 'policies') });
  expect(output).toContain('renamed.policy.json: loaded before');
});

test('policies of another folder: a broken file is told, and the others are loaded', async () => {
  const policies = join(folder, 'policies');
  await mkdir(policies);
  const config = { blockType: 'interfaceContainerBlock', tag: 'root', permissions: ['ANY_ROLE'] };
  await writeFile(join(policies, 'good.policy.json'), JSON.stringify({ name: 'Good', description: '', config }));
  await writeFile(join(policies, 'broken.policy.json'), '{ "name": ');
  await writeFile(join(policies, 'no-archive.policy'), 'not a zip');

  await startHere({ BLOCKWORK_POLICIES: policies });

  expect(output).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^broken\.policy\.json: not loaded: .*broken\.policy\.json is not valid JSON/),
      expect.stringMatching(/^no-archive\.policy: not loaded: /),
      'good.policy.json: loaded',
    ]),
  );
  expect(await pasteThatOf('/policies')).toMatchObject([{ id: 'good' }]);
});

test('a policy whose documents cannot be used is not loaded, and is once they can', async () => {
  const policies = join(folder, 'policies');
  await mkdir(policies);
  const config = { blockType: 'interfaceContainerBlock', tag: 'root', permissions: ['ANY_ROLE'] };
  const nothing = { blockType: 'noSuchBlock', tag: 'odd', permissions: ['ANY_ROLE'] };
  const policy = { name: 'Whole', description: '', config: { ...config, children: [nothing] } };
  await writeFile(join(policies, 'whole.policy.json'), JSON.stringify(policy));
  const documents = join(policies, 'whole.documents.json');
  const good = { owner: 'did:example:a', document: { type: ['VerifiableCredential'] } };

  const twice = [
    { id: 'one', ...good },
    { id: 'one', ...good },
  ];
  for (const bad of ['[{"owner": 7}]', '[', JSON.stringify(twice)]) {
    await writeFile(documents, bad);
    await startHere({ BLOCKWORK_POLICIES: policies });
    expect(output).toContainEqual(expect.stringMatching(/^whole\.policy\.json: not loaded: /));
    expect(await pasteThatOf('/policies')).toEqual([]);
    await stop();
  }
  await writeFile(documents, JSON.stringify([good, good]));
  await startHere({ BLOCKWORK_POLICIES: policies });
  expect(output).toContain('whole.policy.json: loaded, with 2 documents');
  const table = output.find((line) => line.includes('FINDINGS')) ?? '';
  expect(table).toMatch(/1 errors, \d+ warnings/);
  expect(table).toMatch(/ {2}error +BLOCK_TYPE_UNKNOWN {2}odd: .*noSuchBlock/);
});

test('the log is lines of JSON where it is asked for, with refused tokens in it; readiness fails before the port closes', async () => {
  const lines: string[] = [];
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((line) => {
    lines.push(String(line));
    return true;
  });
  const { url } = await startHere({
    BLOCKWORK_LOG: 'info',
    BLOCKWORK_LOG_FORMAT: 'json',
    BLOCKWORK_DRAIN_MS: '424242',
  });
  expect((await fetch(`${url}/api/v1/policies`, { headers: { authorization: 'Bearer nonsense' } })).status).toBe(401);
  const drained = holdTimer(424_242);
  const closed = running?.close();
  running = undefined;
  expect((await fetch(`${url}/readyz`)).status).toBe(503);
  drained();
  await closed;
  write.mockRestore();
  const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(entries).toContainEqual(
    expect.objectContaining({
      level: 'info',
      message: 'A request was refused.',
      status: 401,
      path: '/api/v1/policies',
    }),
  );
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
    start(readSettings({ BLOCKWORK_PORT: '0', BLOCKWORK_POLICIES: examples, ...variables }), () => undefined).then(
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
  expect(await reason({ BLOCKWORK_DATA: join(folder, 'fourth'), BLOCKWORK_HOST: 'no such host!' })).toBe(
    'no such host! is not an address of this machine. Set BLOCKWORK_HOST to one that is.',
  );
  expect(await reason({ BLOCKWORK_SECRETS: '/nowhere' })).toBe(
    'BLOCKWORK_SECRETS names /nowhere, which cannot be read (ENOENT).',
  );
  expect(await reason({ BLOCKWORK_SECRETS: join(folder, 'a-file') })).toContain('which cannot be read (ENOTDIR).');
  const provider = { BLOCKWORK_JWT_ISSUER: 'https://idp.example', BLOCKWORK_JWT_AUDIENCE: 'https://registry.example' };
  expect(await reason({ ...provider, BLOCKWORK_JWKS: '/no such keys.json' })).toBe(
    'BLOCKWORK_JWKS names /no such keys.json, which cannot be read (ENOENT).',
  );
});

test('an address of the metrics that is none, and a database that is not there, are told by their variables', async () => {
  const reason = async (variables: Record<string, string>): Promise<string | undefined> => {
    const BLOCKWORK_DATA = join(folder, 'metrics');
    const settings = { BLOCKWORK_PORT: '0', BLOCKWORK_POLICIES: examples, BLOCKWORK_DATA, ...variables };
    return start(readSettings(settings), () => undefined).then(
      () => 'started',
      (error: unknown) => explain(error),
    );
  };
  const { url } = await startHere();
  const { port } = new URL(url);
  expect(await reason({ BLOCKWORK_METRICS_PORT: port })).toBe(
    `Port ${port} of 127.0.0.1 is in use. Stop the process that uses it, or set BLOCKWORK_METRICS_PORT to another port (0: any free one).`,
  );
  const nowhere = await reason({ BLOCKWORK_METRICS_PORT: '0', BLOCKWORK_METRICS_HOST: 'no such host!' });
  expect(nowhere).toContain('Set BLOCKWORK_METRICS_HOST to one that is.');
  expect(nowhere).not.toContain('BLOCKWORK_HOST');
  const away = await reason({
    BLOCKWORK_DATABASE_URL: `postgres://me:hidden@127.0.0.1:${port}/registry?sslmode=disable`,
    BLOCKWORK_JWT_SECRET: 'x'.repeat(32),
    BLOCKWORK_KEY_SEED: Buffer.alloc(32, 1).toString('base64'),
    BLOCKWORK_DATABASE_PATIENCE_MS: '1',
  });
  expect(away).toMatch(/Check that the database is running and that BLOCKWORK_DATABASE_URL is correct\.$/);
  expect(away).not.toContain('hidden');
});

test.each(['jwt-secret', 'key-seed'])(
  'a file %s that cannot be read is said to be so, and is not replaced',
  async (name) => {
    const data = join(folder, 'data');
    await mkdir(join(data, name), { recursive: true });
    const settings = readSettings({ BLOCKWORK_PORT: '0', BLOCKWORK_POLICIES: examples, BLOCKWORK_DATA: data });
    const reason = await start(settings, () => undefined).then(
      () => 'started',
      (error: unknown) => explain(error),
    );
    expect(reason).toBe(
      `${join(data, name)} cannot be read (EISDIR). Make it readable for the user of this process, or restore it from a backup.`,
    );
    expect((await stat(join(data, name))).isDirectory()).toBe(true);
  },
);

test('a step that fails after the store was opened gives the store back', async () => {
  const settings = readSettings({
    BLOCKWORK_DATA: join(folder, 'data'),
    BLOCKWORK_PORT: '0',
    BLOCKWORK_LOG: 'silent',
    BLOCKWORK_POLICIES: examples,
  });
  const limits: object = { bodyLimit: -1 };
  await expect(start({ ...settings, limits }, () => undefined)).rejects.toMatchObject({
    code: 'OPTION_INVALID',
    message: expect.stringContaining('bodyLimit') as string,
  });
  const { url } = await startHere();
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
});

test('with a sandbox, the owner of the policies logs in by name, on this machine only', async () => {
  const { url } = await startHere({ BLOCKWORK_SANDBOX: 'loopback' });
  expect(output.join('\n')).toContain('not for production');
  const login = await fetch(`${url}/api/v1/accounts/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'registry', password: 'test' }),
  });
  const { accessToken } = (await login.json()) as { accessToken: string };
  const headers = { authorization: `Bearer ${accessToken}` };
  const policies = (await (await fetch(`${url}/api/v1/policies`, { headers })).json()) as { userRole: string }[];
  expect(policies[0]).toMatchObject({ userRole: 'Administrator', owner: 'did:example:registry' });
  await stop();
  await expect(startHere({ BLOCKWORK_SANDBOX: 'loopback', BLOCKWORK_HOST: '0.0.0.0' })).rejects.toThrow('sandbox');
});

test('webhooks are off until the operator names where they may be sent to', async () => {
  const register = async (): Promise<number> => {
    const { out } = await run(['token', '--as', 'owner'], { env: { BLOCKWORK_DATA: join(folder, 'data') } });
    const answer = await fetch(`${running?.url ?? ''}/api/v1/policies/energy-certificates/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${out.trim()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: 'https://hooks.example.org/in/policies' }),
    });
    return answer.status;
  };
  await startHere();
  expect(await register()).toBe(409);
  await stop();
  await startHere({ BLOCKWORK_WEBHOOK_ALLOW: 'https://hooks.example.org/in' });
  expect(await register()).toBe(201);
  await stop();
  await startHere({ BLOCKWORK_WEBHOOK_ALLOW: 'https://hooks.example.org/out' });
  expect(await register()).toBe(422);
});

describe('the documentation', () => {
  test('is at /docs/ from a folder, and the interface at /docs/openapi', async () => {
    const site = join(folder, 'site');
    await mkdir(site);
    await writeFile(join(site, 'index.html'), 'The first page');

    const { url } = await startHere({ BLOCKWORK_DOCS: site });

    expect(output).toContain(`Documentation: ${url}/docs/`);
    expect(await (await fetch(`${url}/docs/`)).text()).toBe('The first page');
    expect(await (await fetch(`${url}/docs/openapi`)).text()).toContain('Blockwork API');
  });

  test('is nowhere in a clone without it, where /docs is the interface', async () => {
    const { url } = await startHere();

    expect(output.join('\n')).not.toContain('Documentation');
    expect(await (await fetch(`${url}/docs`)).text()).toContain('Blockwork API');
  });

  test('refuses a folder without it, and names the variable', async () => {
    const error = await startHere({ BLOCKWORK_DOCS: folder }).catch((reason: unknown) => reason);

    expect(explain(error)).toMatch(/^BLOCKWORK_DOCS names .*, which cannot be read \(ENOENT\)\.$/);
  });
});
