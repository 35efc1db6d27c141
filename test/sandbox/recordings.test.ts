/** Recordings of dry runs, filed and played again. */
import { packArchive, unpackArchive } from '@blockwork/core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { plots } from './support/plots.js';
import { openRegistryWorld, type RegistryWorld } from './support/registry-world.js';

let world: RegistryWorld;
let path: string;
let id: string;
beforeEach(async () => {
  world = await openRegistryWorld();
  id = String((await world.as('registry', 'POST', 'policies/import/file', { bytes: plots[0]!.archive })).body[0].id);
  path = `record/${id}`;
});
afterEach(() => world.close());

const send = async (tag: string, json: object): Promise<void> => {
  const sent = await world.call('POST', `policies/${id}/tag/${tag}/blocks`, json);
  expect(sent.status, sent.text).toBe(200);
};

/** Somebody takes a role and reports, while it is recorded. */
async function recording(): Promise<Uint8Array> {
  await world.call('PUT', `policies/${id}/dry-run`, {});
  expect((await world.call('GET', `${path}/status`)).body).toBeNull();
  expect((await world.call('POST', `${path}/recording/start`, {})).body).toBe(true);
  expect((await world.call('GET', `${path}/status`)).body).toMatchObject({ type: 'Recording', status: 'Recording' });
  const users = (await world.call('POST', `policies/${id}/dry-run/user`, {})).body as { did: string }[];
  await world.call('POST', `policies/${id}/dry-run/login`, { did: users.at(-1)!.did });
  await send('choose_role', { role: 'Producer' });
  await send('report', { document: { site: 'Roof', kilowattHours: 12.5 }, ref: null });
  expect((await world.call('GET', `${path}/recording/actions`)).body).toMatchObject([
    { action: 'SET_BLOCK_DATA', target: 'choose_role' },
    { action: 'SET_BLOCK_DATA', target: 'report' },
  ]);
  return world.download(`${path}/recording/stop`, 'POST');
}

it('what was recorded is played again by other virtual users, and ends in the same', async () => {
  const bytes = await recording();
  expect([...unpackArchive(bytes).keys()].sort()).toEqual(['actions.csv', 'scenario.json']);
  const started = await world.as('registry', 'POST', `${path}/running/start`, { bytes });
  expect(started).toMatchObject({ status: 200, body: { id: expect.any(String) } });
  expect((await world.call('GET', `${path}/status`)).body).toMatchObject({
    type: 'Running',
    status: 'Finished',
    error: null,
  });
  const results = (await world.call('GET', `${path}/running/results`)).body;
  expect(results).toMatchObject({ total: 100 });
  expect(results.documents.length).toBeGreaterThan(0);
  expect((await world.call('GET', `${path}/running/details`)).body).toMatchObject({
    total: 100,
    left: { status: 'Finished' },
  });
  expect((await world.call('GET', `policies/${id}/dry-run/users`)).body).toHaveLength(2);
  expect((await world.call('POST', `${path}/running/fast-forward`, {})).body).toBe(true);
});

it('a step that is refused is named, tried again, and passed over', async () => {
  const files = unpackArchive(await recording());
  const script = JSON.parse(Buffer.from(files.get('scenario.json')!).toString('utf8')) as {
    tag: string;
    method: string;
  }[];
  const wrong = script.map((step) =>
    step.tag === 'report' && step.method === 'POST' ? { ...step, body: { document: { site: 5 } } } : step,
  );
  files.set('scenario.json', Buffer.from(JSON.stringify(wrong)));
  await world.as('registry', 'POST', `${path}/running/start`, { bytes: packArchive(files) });
  const failed = { type: 'Running', status: 'Error', index: 1, error: expect.stringContaining('report') };
  expect((await world.call('GET', `${path}/status`)).body).toMatchObject(failed);
  await world.call('POST', `${path}/running/retry`, {});
  expect((await world.call('GET', `${path}/status`)).body).toMatchObject(failed);
  await world.call('POST', `${path}/running/skip`, {});
  expect((await world.call('GET', `${path}/status`)).body).toMatchObject({ status: 'Finished' });
  expect((await world.call('GET', `${path}/running/results`)).body.total).toBeLessThan(100);
});

it('recordings are for the owner of a dry run, and only files of recordings are played', async () => {
  expect((await world.call('POST', `${path}/recording/start`, {})).body.error).toBe('NOT_A_TRIAL');
  await world.call('PUT', `policies/${id}/dry-run`, {});
  for (const who of ['other', 'ann'] as const)
    expect((await world.as(who, 'POST', `${path}/recording/start`, { json: {} })).status, who).toBe(404);
  const bytes = packArchive(new Map([['x.json', Buffer.from('{}')]]));
  expect((await world.as('registry', 'POST', `${path}/running/start`, { bytes })).body.error).toBe('FILE_REFUSED');
  expect((await world.call('GET', `${path}/running/results`)).status).toBe(404);
});
