/** `blockwork inspect` over a server that runs and over its data folder. */
import { createSecretKey } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { standardBlocks } from '@blockwork/blocks';
import { BlockworkError, createEngine, MemoryLink, newInstanceKey, silentLogger, type Caller } from '@blockwork/core';
import { createPolicyServer, signDevelopmentToken } from '@blockwork/http-koa';
import { openLowdbStore } from '@blockwork/store-lowdb';
import { projectFiles, writeProject } from 'create-blockwork';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Inspection } from '../src/inspect/summary.js';
import { start, type RunningServer } from '../src/serve/server.js';
import { readSettings } from '../src/serve/settings.js';
import { temporaryFolders } from '../../../test/support/folders.js';
import { run, runJson } from './support/run.js';

const newFolder = temporaryFolders();
let server: RunningServer;
let data: string;
let token: string;

beforeAll(async () => {
  const folder = await newFolder();
  data = join(folder, 'data');
  await mkdir(join(folder, 'policies'));
  await writeProject(join(folder, 'policies'), await projectFiles('sunlight', 'form-approve-mint'));
  const variables = { BLOCKWORK_DATA: data, BLOCKWORK_PORT: '0', BLOCKWORK_LOG: 'silent' };
  server = await start(readSettings({ ...variables, BLOCKWORK_POLICIES: join(folder, 'policies') }), () => undefined);
  token = (await run(['token', '--as', 'owner', '--data', data])).out.trim();
});
afterAll(() => server.close());

const owner = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const other = { ...owner, did: 'did:example:other' };
const clock = {
  config: {
    blockType: 'interfaceContainerBlock',
    tag: 'root',
    permissions: ['ANY_ROLE'],
    defaultActive: true,
    children: [
      {
        blockType: 'timerBlock',
        tag: 'daily',
        permissions: ['OWNER'],
        defaultActive: true,
        startDate: '2026-01-01T00:00:00.000Z',
        period: 'daily',
      },
    ],
  },
};
const policies = [{ id: 'sunlight', name: 'sunlight', status: 'DRAFT' }];

describe('inspect', () => {
  it('looks into the data folder, also while the server runs', async () => {
    expect(await runJson(['inspect', data])).toMatchObject({
      policies: [{ ...policies[0], documents: 0 }],
      timers: [],
      waiting: { messages: expect.any(Number) as number, effects: 0 },
      ready: null,
    });
    expect(await run(['inspect'], { env: { BLOCKWORK_DATA: data } })).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('DRAFT        sunlight (sunlight), '),
    });
  });

  it('asks a server', async () => {
    expect(await runJson(['inspect', server.url, '--token', token])).toMatchObject({ policies, ready: true });
    const { code, out } = await run(['inspect', server.url], { env: { BLOCKWORK_TOKEN: token } });
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringContaining(`${server.url}: ready\nPolicies: 1\n`),
    });
  });

  it('asks a server for all that its folder tells, for lanes and for what is stuck', async () => {
    const away = new BlockworkError('LINK_UNAVAILABLE', { facts: { reason: 'the broker is away' } });
    const link = Object.assign(new MemoryLink(), { publish: () => Promise.reject(away) });
    const folder = await newFolder();
    const store = await openLowdbStore({ folder });
    const instance = { id: 'north', key: newInstanceKey().privateKey };
    const peers = [{ id: 'south', key: newInstanceKey().publicKey, identities: ['did:example:*'] }];
    const engine = createEngine({
      ...{ store, link, instance, peers, drafts: 'shared' },
      ...{ blocks: standardBlocks(), logger: silentLogger, operators: [owner.did] },
    });
    for (const caller of [owner, other])
      for (let number = 1; number <= 10; number += 1) {
        const id = `${caller === owner ? 'own' : 'other'}-${String(number)}`;
        await engine.importPolicy(caller, { ...clock, id, name: id });
        if (number < 10) await engine.lifecycle.dryRun(caller, id);
      }
    const action = { type: 'send-data', tag: 'note', user: { did: owner.did }, data: {} } as const;
    await engine.requests.ask(owner, { to: 'south', policyId: 'own-1', action });
    const key = createSecretKey(Buffer.from('a secret of this test that is long enough to sign tokens'));
    const api = createPolicyServer(engine, { auth: { secret: key }, logger: silentLogger });
    const { url } = await api.listen({ port: 0 });
    const options = { env: { BLOCKWORK_TOKEN: signDevelopmentToken(key, owner) } };

    const inspection = await vi.waitFor(
      async () => {
        const seen = (await runJson(['inspect', url], options)) as Inspection;
        expect(seen.stuck).toMatchObject([{ work: 'outbox', reason: away.message }]);
        return seen;
      },
      { timeout: 60_000, interval: 50 },
    );
    const ofFolder = (await runJson(['inspect', folder])) as Inspection;
    expect(ofFolder.timers).toHaveLength(18);
    expect(inspection.timers).toEqual(ofFolder.timers.filter(({ policyId }) => policyId.startsWith('own')));
    expect(inspection.untoldTimers).toEqual(Array.from({ length: 9 }, (_, at) => `other-${String(at + 1)}`));
    expect(inspection).toMatchObject({ waiting: { messages: 1, effects: 0 }, lanes: { waiting: 0 } });
    expect(ofFolder).toMatchObject({ waiting: inspection.waiting, lanes: null, stuck: null });
    const { out } = await run(['inspect', url], options);
    expect(out).toContain('Timers: 9\n');
    expect(out).toContain('not visible, policies of other owners: other-1, ');
    expect(out).toContain('Unsent: 1 messages, 0 ledger effects\n');
    expect(out).toMatch(/Failing work: 1\n {2}outbox of \S+ {2}failures: \d+, next attempt \S+: .*the broker is away/);

    const as = (caller: Caller) => ({ env: { BLOCKWORK_TOKEN: signDevelopmentToken(key, caller) } });
    const operator = as({ did: 'did:example:operator', role: 'OPERATOR' });
    const seen = { requests: null, timers: [], stuck: [{ work: 'outbox' }] };
    expect(await runJson(['inspect', url], operator)).toMatchObject(seen);
    expect((await run(['inspect', url], operator)).out).not.toContain('Open requests');
    expect(await run(['inspect', url], as(other))).toMatchObject({
      code: 4,
      err: expect.stringContaining('INSTANCE_OPERATE'),
    });
    await api.close();
    await engine.close();
  });

  it('says what is missing', async () => {
    expect(await run(['inspect', server.url])).toMatchObject({ code: 2, err: expect.stringContaining('--token') });
    expect(await run(['inspect', server.url, '--token', 'x'])).toMatchObject({
      code: 4,
      err: expect.stringContaining('The server refused'),
    });
    expect(await run(['inspect', 'http://127.0.0.1:9', '--token', 'x'])).toMatchObject({
      code: 4,
      err: 'blockwork: http://127.0.0.1:9 did not answer.\n',
    });
    expect(await run(['inspect', join(data, 'nothing')])).toMatchObject({ code: 3 });
  });
});
