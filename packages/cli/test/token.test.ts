/** `blockwork token`, `openapi`, and what every command has in common. */
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApiDocument } from '@blockwork/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commands } from '../src/commands.js';
import type { CommandSpec } from '../src/line/command.js';
import { start } from '../src/serve/server.js';
import { readSettings } from '../src/serve/settings.js';
import { run, runJson } from './support/run.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockwork-token-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('token', () => {
  it('is accepted by a server over the same data folder', async () => {
    const env = { BLOCKWORK_DATA: join(folder, 'data') };
    const { code, out, err } = await run(['token', '--as', 'owner'], { env });
    expect({ code, err }).toEqual({
      code: 0,
      err: `blockwork: ${env.BLOCKWORK_DATA} had no secret, so a new one was generated; only a server with this data folder accepts the token.\n`,
    });
    expect((await run(['token', '--as', 'owner'], { env })).err).toBe('');
    const settings = readSettings({
      ...env,
      BLOCKWORK_PORT: '0',
      BLOCKWORK_POLICIES: folder,
      BLOCKWORK_LOG: 'silent',
    });
    const server = await start(settings, () => undefined);
    try {
      const list = (token: string): Promise<Response> =>
        fetch(`${server.url}/api/v1/policies`, { headers: { authorization: `Bearer ${token}` } });
      expect((await list(out.trim())).status).toBe(200);
      const other = await run(['token', '--as', 'owner', '--data', join(folder, 'other')]);
      expect((await list(other.out.trim())).status).toBe(401);
    } finally {
      await server.close();
    }
  });

  it('names whom it is for', async () => {
    const token = (...argv: string[]): Promise<unknown> => runJson(['token', '--data', folder, ...argv]);
    expect(await token('--as', 'owner')).toMatchObject({ did: 'did:example:registry', role: 'STANDARD_REGISTRY' });
    expect(await token('--as', 'alice')).toMatchObject({ did: 'did:example:alice', username: 'alice', role: 'USER' });
    expect(await token('--as', 'did:web:x', '--role', 'AUDITOR')).toMatchObject({ did: 'did:web:x', role: 'AUDITOR' });
    expect(await token('--as', 'alice', '--hours', '0.5')).toMatchObject({ lifetime: 1800 });
    expect((await stat(join(folder, 'jwt-secret'))).mode & 0o777).toBe(0o600);
  });

  it('does not ask for the ledger of the server, which may have been chosen by an option', async () => {
    const env = { BLOCKWORK_HEDERA_NETWORK: 'testnet', BLOCKWORK_WITNESS_MINUTES: '60' };
    expect(await run(['token', '--as', 'owner', '--data', folder], { env })).toMatchObject({ code: 0 });
  });

  it('refuses what it cannot sign', async () => {
    expect(await run(['token'])).toMatchObject({ code: 2, err: expect.stringContaining('--as') });
    expect(await run(['token', '--as', 'a', '--hours', 'x'])).toMatchObject({ code: 2 });
    expect(await run(['token', '--as', 'did:x', '--data', join(folder, 'none')])).toMatchObject({ code: 2 });
    expect(await readdir(folder)).toEqual([]);
    const env = { BLOCKWORK_JWT_SECRET: 'short' };
    const refused = await run(['token', '--as', 'a'], { env });
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('BLOCKWORK_JWT_SECRET must have') });
  });
});

it('openapi prints the document of the interface', async () => {
  expect(await runJson(['openapi'])).toEqual(JSON.parse(JSON.stringify(openApiDocument())));
  const { out } = await run(['openapi', '--prefix', '/x']);
  expect(Object.keys((JSON.parse(out) as { paths: object }).paths)).toContain('/x/policies');
  expect(await run(['openapi', 'too', 'many'])).toMatchObject({ code: 2 });
});

it('openapi prints the document of the blocks of a policy', async () => {
  const file = join(folder, 'parks.policy.json');
  const child = { blockType: 'informationBlock', tag: 'gate', permissions: ['Visitor'] };
  const root = { blockType: 'interfaceContainerBlock', tag: 'root', permissions: ['ANY_ROLE'], children: [child] };
  await writeFile(file, JSON.stringify({ name: 'Parks', version: '1.2.0', policyRoles: ['Visitor'], config: root }));
  expect(await runJson(['openapi', file, '--prefix', '/x'])).toMatchObject({
    openapi: '3.1.0',
    info: { title: 'Parks', version: '1.2.0' },
    paths: { '/x/policies/{policyId}/tag/gate/blocks': { get: { operationId: 'readGate', 'x-roles': ['Visitor'] } } },
    components: { parameters: { policyId: { in: 'path', required: true } } },
  });
  expect(await run(['openapi', join(folder, 'none.policy')])).toMatchObject({ code: 3, out: '' });
});

describe('every command', () => {
  const all = (specs: readonly CommandSpec[], parents: readonly string[] = []): string[][] =>
    specs.flatMap(({ name, commands: below = [], load }) => {
      const path = [...parents, name];
      return [...(load === undefined ? [] : [path]), ...all(below, path)];
    });

  it.each(all(commands).map((path) => [path.join(' '), path] as const))(
    '%s has help and takes --json',
    async (_, path) => {
      const { code, out, err } = await run([...path, '--help']);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toContain(`Usage: blockwork ${path.join(' ')}`);
      expect(out).toContain('--json');
    },
  );

  it('is suggested where it is misspelled', async () => {
    expect(await run(['valdate'])).toMatchObject({ code: 2, out: '', err: expect.stringContaining('validate') });
    expect(await run(['graph', 'x', '--fromat', 'svg'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--format'),
    });
  });

  it('prints its version', async () => {
    expect(await run(['--version'])).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
    expect(await run([])).toMatchObject({ code: 2 });
  });
});
