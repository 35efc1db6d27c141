/** Servers that are linked over NATS, as the programs that operators run: each is told of the other by settings and a file. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { standardBlocks } from '@blockwork/blocks';
import { createEngine, SeededKeys, silentLogger, type Caller, type Peer } from '@blockwork/core';
import { signDevelopmentToken } from '@blockwork/http-koa';
import { openLowdbStore } from '@blockwork/store-lowdb';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { programEnv } from '../../../test/support/build-program.js';
import { temporaryFolders } from '../../../test/support/folders.js';
import { natsServer, removeStream } from '../../../test/support/nats-server.js';
import { openLink, readPeers } from '../src/link/open-link.js';
import { readSettings } from '../src/serve/settings.js';
import { bundledProgram } from '../../../test/support/bundled-program.js';
import { run } from './support/run.js';

const nats = await natsServer();
const secret = 'what signs the tokens of both servers here';
const stream = `serve-link-${process.pid}`;
const newFolder = temporaryFolders();
const owners = {
  north: { did: 'did:north:owner', role: 'STANDARD_REGISTRY' },
  south: { did: 'did:south:owner', role: 'STANDARD_REGISTRY' },
} as const;
type Name = keyof typeof owners;
const keys = { north: Buffer.alloc(32, 1).toString('base64'), south: Buffer.alloc(32, 2).toString('base64') };

let [folder, program] = ['', ''];

beforeAll(async () => {
  folder = await newFolder();
  program = await bundledProgram(folder);
});

const running: ChildProcess[] = [];
afterEach(async () => {
  await Promise.all(
    running.splice(0).map(async (child) => {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    }),
  );
});
afterAll(async () => {
  if (!('address' in nats)) return;
  for (const each of [stream, `${stream}-dead-letters`]) await removeStream(nats.address, each).catch(() => undefined);
});

const settingsOf = (name: Name, address: string): Record<string, string> => ({
  BLOCKWORK_PORT: '0',
  BLOCKWORK_DATA: join(folder, name),
  BLOCKWORK_POLICIES: join(folder, 'policies'),
  BLOCKWORK_OWNER: owners[name].did,
  BLOCKWORK_JWT_SECRET: secret,
  BLOCKWORK_KEY_SEED: keys[name],
  BLOCKWORK_NATS_URL: address,
  BLOCKWORK_NATS_STREAM: stream,
  BLOCKWORK_INSTANCE: name,
  BLOCKWORK_PEERS: join(folder, `${name}-trusts.json`),
});

interface Served {
  readonly url: string;
  /** All that it has written so far, to both streams. */
  readonly written: () => string;
  readonly ask: (caller: Caller, path: string, init?: { method: string; body?: unknown }) => Promise<Answer>;
}
interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function serve(settings: Readonly<Record<string, string>>): Promise<Served> {
  const cliModules = fileURLToPath(new URL('../node_modules', import.meta.url));
  const env = { ...programEnv, NODE_PATH: `${programEnv.NODE_PATH}${delimiter}${cliModules}`, ...settings };
  const child = spawn(process.execPath, [program, 'serve'], { env, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  running.push(child);
  let written = '';
  for (const output of [child.stdout, child.stderr]) output.on('data', (text) => (written += String(text)));
  const url = await until(() => {
    if (child.exitCode !== null) throw new Error(`The server has ended:\n${written}`);
    return /Serving (http:\S+)\/api\/v1/.exec(written)?.[1];
  });
  const ask: Served['ask'] = async (caller, path, { method, body } = { method: 'GET' }) => {
    const headers = {
      authorization: `Bearer ${signDevelopmentToken(Buffer.from(secret), caller)}`,
      'content-type': 'application/json',
    };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${url}/api/v1${path}`, { method, headers, ...sent });
    return { status: answer.status, body: await answer.json() };
  };
  return { url, written: () => written, ask };
}

/** Looks until there is something; the test's own limit ends it. */
async function until<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (;;) {
    const result = await look();
    if (result !== undefined) return result;
    await pause(20);
  }
}

const linked = async ({ url }: Served): Promise<true | undefined> => {
  const { link } = (await (await fetch(`${url}/readyz`)).json()) as { link?: string };
  return link === 'connected' ? true : undefined;
};

/** What a process writes arrives in pieces. */
const wrote = ({ written }: Served, text: string | RegExp): Promise<true> =>
  until(() => written().match(text) !== null || undefined);

/** The line that a server prints for its peers. */
const entryOf = ({ written }: Served): Omit<Peer, 'identities'> =>
  JSON.parse(/Its peers trust it as (.*)/.exec(written())?.[1] ?? '') as Omit<Peer, 'identities'>;

const trust = (name: Name, peers: readonly Peer[]): Promise<void> =>
  writeFile(join(folder, `${name}-trusts.json`), JSON.stringify({ peers }));

const votes = (id: string): object => ({
  id,
  name: id,
  policyRoles: ['Voter'],
  config: {
    blockType: 'interfaceContainerBlock',
    tag: 'root',
    permissions: ['ANY_ROLE'],
    children: [{ blockType: 'policyRolesBlock', tag: 'join', permissions: ['NO_ROLE'], roles: ['Voter'] }],
  },
});

/** As a program that embeds the engine does, in the folder of the server and over its link. */
async function offer(from: Name, to: Name, policyId: string, address: string): Promise<void> {
  const settings = readSettings({ ...settingsOf(from, address), BLOCKWORK_LOG: 'silent' });
  if (settings.link === undefined) throw new Error('No link is set.');
  const { options } = await openLink(settings.link, settings, silentLogger);
  const store = await openLowdbStore({ folder: join(settings.data, 'store') });
  const seed = Buffer.from(settings.keySeed ?? '', 'base64url');
  const engine = createEngine({ store, keys: new SeededKeys(seed), blocks: standardBlocks(), ...options });
  await engine.importPolicy(owners[from], votes(policyId));
  await engine.lifecycle.publish(owners[from], policyId, '1.0.0');
  await engine.requests.offerPolicy(owners[from], policyId, { to, view: true });
  await engine.program.requests.idle();
  await engine.close();
}

describe.skipIf('missing' in nats)(`Two servers over NATS${'missing' in nats ? `: ${nats.missing}` : ''}`, () => {
  const address = 'address' in nats ? `nats://${nats.address}` : '';

  it('trust each other by what they print, take a policy of the other, and decide what its people send', async () => {
    await mkdir(join(folder, 'policies'));
    const others: Record<Name, Peer> = await entries();
    await trust('north', [others.south]);
    await trust('south', [others.north]);
    await offer('north', 'south', 'votes-of-north', address);
    await offer('south', 'north', 'votes-of-south', address);
    const servers = {
      north: await serve(settingsOf('north', address)),
      south: await serve(settingsOf('south', address)),
    };
    for (const server of Object.values(servers)) await until(() => linked(server));

    for (const [here, there] of [
      ['north', 'south'],
      ['south', 'north'],
    ] as const) {
      const offered = await incoming(servers[here], owners[here], 'import-policy');
      expect(offered.policyId).toBe(`votes-of-${there}`);
      expect(await decide(servers[here], owners[here], offered)).toMatchObject({ status: 200 });

      const person = { did: `did:${here}:person`, username: 'person', role: 'USER' };
      const join = { method: 'POST', body: { role: 'Voter' } };
      const path = `/policies/votes-of-${there}/tag/join/blocks`;
      const sent = await servers[here].ask(person, path, join);
      expect(sent).toMatchObject({ status: 202 });
      const request = await incoming(servers[there], owners[there], 'send-data');
      expect(await decide(servers[there], owners[there], request)).toMatchObject({ status: 200 });
      const own = await until(async () => {
        const { body } = await servers[here].ask(person, '/external-policies/requests?direction=outgoing');
        return (body as Request[]).find(({ status }) => status !== 'NEW');
      });
      expect(own.status).toBe('COMPLETED');
    }
  });

  /** Each server prints its own while it knows nobody yet. */
  async function entries(): Promise<Record<Name, Peer>> {
    const entry = async (name: Name): Promise<Peer> => {
      const server = await serve({ ...settingsOf(name, address), BLOCKWORK_PEERS: '' });
      await wrote(server, 'trusts no peer: BLOCKWORK_PEERS is not set');
      await wrote(server, /Its peers trust it as .*\n/);
      return { ...entryOf(server), identities: [`did:${name}:*`] };
    };
    const links = { north: await entry('north'), south: await entry('south') };
    const ending = running.splice(0).map(async (child) => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    });
    await Promise.all(ending);
    return links;
  }
});

interface Request {
  readonly messageId: string;
  readonly policyId: string;
  readonly type: string;
  readonly status: string;
}

const incoming = (server: Served, owner: Caller, type: string): Promise<Request> =>
  until(async () => {
    const { body } = await server.ask(owner, '/external-policies/requests?direction=incoming&status=NEW');
    return (body as Request[]).find((request) => request.type === type);
  });

/** Approves a request with the record that it ends with: what was offered, or what is here. */
async function decide(server: Served, owner: Caller, { messageId, policyId }: Request): Promise<Answer> {
  const { action } = (await server.ask(owner, `/external-policies/requests/${messageId}`)).body as {
    readonly action: { readonly policy?: object };
  };
  const here = { userRole: '', userRoles: [], ...action.policy };
  const record = action.policy === undefined ? (await server.ask(owner, `/policies/${policyId}`)).body : here;
  const body = { ...(record as object), config: undefined };
  return server.ask(owner, `/external-policies/requests/${messageId}/approve`, { method: 'PUT', body });
}

describe('A server with a link', () => {
  it('starts and is ready while NATS is away, says so in /readyz, and writes the password nowhere', async () => {
    const server = await serve({
      ...settingsOf('north', 'nats://me:hunter2@127.0.0.1:1'),
      BLOCKWORK_DATA: join(folder, 'alone'),
      BLOCKWORK_PEERS: '',
      BLOCKWORK_LOG: 'debug',
    });
    const answer = await fetch(`${server.url}/readyz`);
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({
      status: 200,
      body: { link: 'disconnected' },
    });
    await wrote(server, 'The link is not connected');
    expect(server.written()).not.toContain('hunter2');
  });

  const refusal = async (variables: Readonly<Record<string, string>>): Promise<string> => {
    const env = {
      ...settingsOf('north', 'nats://me:hunter2@127.0.0.1:1'),
      BLOCKWORK_DATA: join(folder, 'refused'),
      BLOCKWORK_PEERS: '',
      BLOCKWORK_LOG: 'silent',
      ...variables,
    };
    const { code, err } = await run(['serve'], { env, stopped: () => Promise.resolve('SIGTERM') });
    expect(code).not.toBe(0);
    expect(err).not.toContain('hunter2');
    return err;
  };

  it.each([
    'BLOCKWORK_PEERS',
    'BLOCKWORK_NATS_CREDENTIALS',
    'BLOCKWORK_NATS_CA',
    'BLOCKWORK_NATS_CERTIFICATE',
    'BLOCKWORK_NATS_KEY',
  ])('does not start without the file that %s names', async (variable) => {
    const file = join(folder, 'no-such-file');
    expect(await refusal({ [variable]: file })).toContain(`${variable} names ${file}, which cannot be read (ENOENT)`);
  });

  it('needs a certificate and its key together', async () => {
    const file = join(folder, 'certificate.pem');
    await writeFile(file, '');
    expect(await refusal({ BLOCKWORK_NATS_CERTIFICATE: file })).toContain('BLOCKWORK_NATS_KEY belong together');
  });

  it('needs a key that all nodes of a database share', async () => {
    const variables = { BLOCKWORK_DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/nowhere', BLOCKWORK_POLICIES: '' };
    expect(await refusal(variables)).toContain('BLOCKWORK_INSTANCE_KEY is not set');
  });

  it('takes the file of peers that the page about requests shows', async () => {
    const page = await readFile(new URL('../../../docs/requests.md', import.meta.url), 'utf8');
    const [, shown = ''] = /```json\n(\{\s+"peers".*?)```/s.exec(page) ?? [];
    const file = join(folder, 'shown-peers.json');
    await writeFile(file, shown);
    expect(await readPeers(file)).toMatchObject({ peers: [{ id: 'south' }], streams: { 'river-levels': ['south'] } });
  });

  const key = { kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43) };
  const south = { id: 'south', key, identities: ['did:south:*'] };
  it.each<[string, unknown]>([
    ['/peers: Invalid input', {}],
    ['/peers/0/key/x: must be 32 bytes in base64url', { peers: [{ ...south, key: { ...key, x: 'short' } }] }],
    ['/peers/0/key: Unrecognized key: "d"', { peers: [{ ...south, key: { ...key, d: 'hunter2' } }] }],
    ['/peers/0/identities: must name identities', { peers: [{ ...south, identities: [] }] }],
    ['two have the same id', { peers: [south, south] }],
    ['/streams/levels names "west", which is not a peer', { peers: [south], streams: { levels: ['west'] } }],
  ])('says where its file of peers is wrong: %s', async (place, content) => {
    const file = join(folder, 'wrong-peers.json');
    await writeFile(file, JSON.stringify(content));
    const err = await refusal({ BLOCKWORK_PEERS: file });
    expect(err).toContain(`The peers in ${file} are invalid: `);
    expect(err).toContain(place);
  });
});
