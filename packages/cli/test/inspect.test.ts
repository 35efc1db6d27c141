/** `blockwork inspect` over a server that runs and over its data folder. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { templatePolicy } from '../src/template/policy.js';
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
  await writeFile(join(folder, 'policies', 'sunlight.policy.json'), JSON.stringify(templatePolicy('sunlight')));
  const variables = { BLOCKWORK_DATA: data, BLOCKWORK_PORT: '0', BLOCKWORK_LOG: 'silent' };
  server = await start(readSettings({ ...variables, BLOCKWORK_POLICIES: join(folder, 'policies') }), () => undefined);
  token = (await run(['token', '--as', 'owner', '--data', data])).out.trim();
});
afterAll(() => server.close());

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

  it('says what is missing', async () => {
    expect(await run(['inspect', server.url])).toMatchObject({ code: 2, err: expect.stringContaining('--token') });
    expect(await run(['inspect', server.url, '--token', 'x'])).toMatchObject({
      code: 4,
      err: expect.stringContaining('The server says'),
    });
    expect(await run(['inspect', 'http://127.0.0.1:9', '--token', 'x'])).toMatchObject({ code: 4 });
    expect(await run(['inspect', join(data, 'nothing')])).toMatchObject({ code: 3 });
  });
});
