/** Servers on a database: any number of nodes, with what they share in it or from outside. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { printMigrations } from '@blockwork/store-postgres';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { programEnv } from '../../../test/support/build-program.js';
import { describeWithDatabase } from '../../../test/support/postgres/database.js';
import { startServer } from '../../../test/support/postgres/postgres-server.js';
import { selfSigned } from '../../../test/support/postgres/self-signed.js';
import { start, type RunningServer } from '../src/serve/server.js';
import { readSettings } from '../src/serve/settings.js';
import { bundledProgram } from '../../../test/support/bundled-program.js';
import { run } from './support/run.js';

const examples = fileURLToPath(new URL('../../../examples/serve/policies', import.meta.url));
const shared = {
  BLOCKWORK_JWT_SECRET: 'what all nodes know and nobody else does',
  BLOCKWORK_KEY_SEED: Buffer.alloc(32, 5).toString('base64'),
};
const quiet = { BLOCKWORK_PORT: '0', BLOCKWORK_LOG: 'silent', BLOCKWORK_DATABASE_PATIENCE_MS: '300' };

let folder: string;
const running: RunningServer[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockwork-serve-database-'));
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});
afterAll(() => rm(folder, { recursive: true }));

interface Node {
  readonly url: string;
  readonly lines: readonly string[];
}

async function startNode(variables: Readonly<Record<string, string>>): Promise<Node> {
  const lines: string[] = [];
  const settings = readSettings({ ...quiet, ...shared, BLOCKWORK_DATA: join(folder, 'unused'), ...variables });
  const server = await start(settings, (line) => lines.push(line));
  running.push(server);
  return { url: server.url, lines };
}

const refusal = async (env: Readonly<Record<string, string>>): Promise<{ code: number; err: string }> => {
  const { code, err } = await run(['serve', examples], { env: { ...quiet, ...env }, stopped: async () => 'SIGTERM' });
  return { code, err };
};

describe('A server that is to run on a database', () => {
  const BLOCKWORK_DATABASE_URL = 'postgres://me:hunter2@127.0.0.1:1/nowhere';

  it('does not start without what its nodes share, and says how to set it', async () => {
    const { code, err } = await refusal({ BLOCKWORK_DATABASE_URL });
    expect(code).toBe(3);
    expect(err).toMatch(/BLOCKWORK_JWT_SECRET is not set.*jwt-secret/s);
    expect(err).toMatch(/BLOCKWORK_KEY_SEED is not set.*key-seed/s);
    const { err: seed } = await refusal({ BLOCKWORK_DATABASE_URL, ...shared, BLOCKWORK_JWT_SECRET: '' });
    expect(seed).toContain('BLOCKWORK_JWT_SECRET');
    expect(seed).not.toContain('BLOCKWORK_KEY_SEED');
  });

  it('gets tokens only with the secret of its nodes', async () => {
    const env = { BLOCKWORK_DATABASE_URL, BLOCKWORK_DATA: join(folder, 'unused') };
    expect(await run(['token', '--as', 'owner'], { env })).toMatchObject({
      code: 3,
      err: expect.stringContaining('BLOCKWORK_JWT_SECRET'),
    });
    const { BLOCKWORK_JWT_SECRET } = shared;
    expect(await run(['token', '--as', 'owner'], { env: { ...env, BLOCKWORK_JWT_SECRET } })).toMatchObject({ code: 0 });
    await expect(stat(join(folder, 'unused'))).rejects.toThrow('ENOENT');
  });

  it('names the variable that is wrong', async () => {
    const env = { ...shared, BLOCKWORK_DATABASE_URL };
    expect(await refusal({ ...env, BLOCKWORK_DATABASE_URL: `${BLOCKWORK_DATABASE_URL}?sslmode=maybe` })).toMatchObject({
      code: 3,
      err: expect.stringContaining('BLOCKWORK_DATABASE_URL is invalid: its sslmode must be one of'),
    });
    expect((await refusal({ ...env, BLOCKWORK_DATABASE_SCHEMA: 'Mine' })).err).toContain('BLOCKWORK_DATABASE_SCHEMA');
    const ca = { ...env, BLOCKWORK_DATABASE_CA: join(folder, 'no-ca.pem') };
    expect((await refusal(ca)).err).toMatch(
      /BLOCKWORK_DATABASE_CA names .*no-ca\.pem, which cannot be read \(ENOENT\)/,
    );
    const plain = { ...ca, BLOCKWORK_DATABASE_URL: `${BLOCKWORK_DATABASE_URL}?sslmode=disable` };
    expect((await refusal(plain)).err).toContain('sslmode=disable');
  });
});

await describeWithDatabase('Servers on a database', (database) => {
  const secretive = (): string => {
    const url = new URL(database.address());
    url.password = 'hunter2';
    return url.href;
  };
  const onDatabase = { BLOCKWORK_POLICIES: examples };
  const token = async (): Promise<string> => {
    const env = { BLOCKWORK_DATABASE_URL: secretive(), ...shared };
    return (await run(['token', '--as', 'owner'], { env })).out.trim();
  };

  it('start together, load each file once, and serve the same', async () => {
    const variables = { ...onDatabase, BLOCKWORK_DATABASE_URL: secretive() };
    const nodes = await Promise.all(['a', 'b'].map((node) => startNode({ ...variables, BLOCKWORK_NODE: node })));
    const outcomes = nodes.map(({ lines }) => lines.filter((line) => line.startsWith('energy-certificates')));
    expect(outcomes.flat().sort()).toEqual([
      'energy-certificates.policy.json: loaded',
      'energy-certificates.policy.json: loaded before',
    ]);
    const headers = { authorization: `Bearer ${await token()}` };
    const pages = nodes.map(async ({ url }) => {
      const page = '/api/v1/policies/energy-certificates/blocks';
      return (await fetch(`${url}${page}`, { headers })).json();
    });
    const [first, second] = await Promise.all(pages);
    expect(first).toMatchObject({ blocks: expect.any(Array) });
    expect(second).toEqual(first);
    expect(nodes[0]?.lines.join('\n')).toMatch(/from \S+\/blockwork_test_\w+, schema blockwork \(stop with/);
    expect(nodes.flatMap(({ lines }) => lines).join('\n')).not.toMatch(/Bearer|hunter2/);
    await expect(stat(join(folder, 'unused'))).rejects.toThrow('ENOENT');
  });

  it('know the accounts of the sandbox after a restart', async () => {
    const variables = { ...onDatabase, BLOCKWORK_DATABASE_URL: secretive(), BLOCKWORK_SANDBOX: 'loopback' };
    const post = async (path: string, body: object): Promise<number> => {
      const headers = { 'content-type': 'application/json' };
      const url = `${running.at(-1)?.url ?? ''}/api/v1/accounts/${path}`;
      return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).status;
    };
    await startNode(variables);
    expect(await post('register', { username: 'ann', password: 'of ann', role: 'USER' })).toBe(201);
    await running.pop()?.close();
    await startNode(variables);
    expect(await post('login', { username: 'ann', password: 'of ann' })).toBe(200);
  });

  it('load an archive once, which has no id of its own', async () => {
    const policies = join(folder, 'policies');
    await mkdir(policies);
    const packed = join(policies, 'packed.policy');
    const unpacked = join(folder, 'packed');
    await mkdir(unpacked);
    const policy = JSON.parse(await readFile(join(examples, 'energy-certificates.policy.json'), 'utf8')) as object;
    await writeFile(join(unpacked, 'policy.json'), JSON.stringify({ ...policy, name: 'Packed', policyTag: 'packed' }));
    expect(await run(['pack', unpacked, packed])).toMatchObject({ code: 0 });
    const variables = { BLOCKWORK_POLICIES: policies, BLOCKWORK_DATABASE_URL: secretive() };
    const both = await Promise.all([startNode(variables), startNode(variables)]);
    const outcomes = both.flatMap(({ lines }) => lines.filter((line) => line.startsWith('packed')));
    expect(outcomes.sort()).toEqual(['packed.policy: loaded', 'packed.policy: loaded before']);
  });

  it('need no folder of policies, and refuse a schema that they may not make', async () => {
    const BLOCKWORK_DATABASE_URL = secretive();
    const schema = { BLOCKWORK_DATABASE_SCHEMA: 'by_hand', BLOCKWORK_DATABASE_MIGRATE: 'false' };
    expect(await refusal({ BLOCKWORK_DATABASE_URL, ...shared, ...schema })).toMatchObject({
      code: 3,
      err: expect.stringMatching(/"by_hand" is at version 0, this program needs \d+: migrate it first\.\n$/),
    });
    await database.query(printMigrations({ schema: 'by_hand' }));
    const { lines } = await startNode({ BLOCKWORK_DATABASE_URL, ...schema });
    expect(lines.join('\n')).toContain('schema by_hand');
    expect(lines.join('\n')).not.toContain('not loaded');
  });

  it('end by themselves where a step fails after the database was opened', async () => {
    const program = await bundledProgram(folder, { hasConsole: false });
    const modules = fileURLToPath(new URL('../node_modules', import.meta.url));
    const env = {
      ...programEnv,
      NODE_PATH: `${programEnv.NODE_PATH}${delimiter}${modules}`,
      ...quiet,
      ...shared,
      BLOCKWORK_DATABASE_URL: secretive(),
    };
    const child = spawn(process.execPath, [program, 'serve'], { env, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    let written = '';
    for (const output of [child.stdout, child.stderr]) output.on('data', (text) => (written += String(text)));
    const [code] = (await once(child, 'close')) as [number];
    expect({ code, written }).toMatchObject({ code: 3, written: expect.stringContaining('not started') as string });
    expect(written).toContain('console');
  });

  it('tell the password to nobody, whatever goes wrong', async () => {
    const lines: string[] = [];
    const write = vi.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
    const away = secretive().replace(/@[^/]+/, '@127.0.0.1:1');
    const nowhere = secretive().replace(database.name, 'blockwork_test_nowhere');
    const wrong = secretive().replace('postgres://', 'postgres://%');
    for (const BLOCKWORK_DATABASE_URL of [away, nowhere, wrong, `${secretive()}?password=hunter2`]) {
      const { code, err } = await refusal({ BLOCKWORK_DATABASE_URL, ...shared, BLOCKWORK_LOG: 'debug' });
      expect(code).toBe(3);
      lines.push(err);
    }
    write.mockRestore();
    expect(lines.join('\n')).toContain('not started');
    expect(inspect(lines)).not.toContain('hunter2');
  });
});

const tls = await selfSigned();
const server = tls === null ? { missing: 'openssl is not installed' } : await startServer({ password: 'hunter2', tls });

if ('missing' in server || tls === null)
  test.skip('TLS (skipped: there is no server to speak it with)', () => undefined);
else {
  afterAll(server.end);

  test('the server of the database is verified by the authority of BLOCKWORK_DATABASE_CA', async () => {
    const BLOCKWORK_DATABASE_CA = join(folder, 'ca.pem');
    await writeFile(BLOCKWORK_DATABASE_CA, tls.certificate);
    const BLOCKWORK_DATABASE_URL = server.address.replace('127.0.0.1', 'localhost');
    const { lines } = await startNode({ BLOCKWORK_DATABASE_URL, BLOCKWORK_DATABASE_CA });
    expect(lines.join('\n')).toContain(' from localhost');
    const other = await refusal({ ...shared, BLOCKWORK_DATABASE_URL: server.address, BLOCKWORK_DATABASE_CA });
    expect(other).toMatchObject({ code: 3, err: expect.stringContaining('does not match') });
    const unknown = await refusal({
      ...shared,
      BLOCKWORK_DATABASE_URL: `${BLOCKWORK_DATABASE_URL}?sslmode=verify-full`,
    });
    expect(unknown).toMatchObject({ code: 3, err: expect.stringContaining('self-signed') });
  });
}
