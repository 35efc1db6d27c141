/** Tests the device of this example against a server. */
import { createClient } from '@blockwork/client';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Device } from '../src/device.js';
import { member, startRegistry } from '../src/registry.js';

let folder = '';
let registry: Awaited<ReturnType<typeof startRegistry>>;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'device-'));
  registry = await startRegistry();
});
afterEach(async () => {
  await registry.close();
  await rm(folder, { recursive: true });
});

const clientOf = (answer: (request: Request) => Promise<Response>) =>
  createClient({ url: registry.url, token: registry.token, retries: 0, fetch: answer });
const opened = (answer = (request: Request) => fetch(request)) =>
  Device.open({ folder, client: clientOf(answer), member: member.did, policyId: registry.policyId, tag: 'meters' });
interface Grid {
  readonly data: readonly { readonly document: { readonly credentialSubject: readonly { readonly kWh: number }[] } }[];
}
const readings = async () => {
  const { data } = await clientOf(fetch).policy(registry.policyId).block('readings').read<Grid>();
  return data.map(({ document }) => document.credentialSubject[0]?.kWh);
};

test('hands in each reading once, though the answer to the first attempt was lost', async () => {
  const device = await opened();
  await device.register('meter');
  await device.take({ kWh: 1 });
  await device.take({ kWh: 2 }, new Date(Date.now() + 1));
  const unlucky = await opened(async (request) => {
    await fetch(request);
    throw new Error('The answer was lost.');
  });

  expect(await unlucky.handIn()).toBe(0);
  expect(await readings()).toEqual([1]);
  expect(await device.handIn()).toBe(2);
  expect(await readings()).toEqual([1, 2]);
  expect(await device.handIn()).toBe(0);
});

test('is the same device after a restart, with a key that only it reads', async () => {
  const first = await opened();
  await first.register('meter');
  const again = await opened();
  await again.register('meter');

  expect(again.did).toBe(first.did);
  expect((await stat(join(folder, 'key.pem'))).mode & 0o777).toBe(0o600);
});

test('keeps a reading that is refused, and says why', async () => {
  const stranger = await opened();
  await stranger.take({ kWh: 1 });

  await expect(stranger.handIn()).rejects.toMatchObject({
    error: 'PERMISSION_DENIED',
    details: [{ path: '/owner', message: 'is neither the caller nor a device that the caller has registered' }],
  });

  await stranger.register('meter');
  expect(await stranger.handIn()).toBe(1);
});
