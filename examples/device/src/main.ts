/** A meter at work: registers, takes readings while the network is down, and submits the spooled ones when it is back. */
import { createClient } from '@blockwork/client';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Device } from './device.js';
import { member, startRegistry } from './registry.js';

const registry = await startRegistry();
const folder = await mkdtemp(join(tmpdir(), 'device-'));

let isOnline = true;
const client = createClient({
  url: registry.url,
  token: registry.token,
  retries: 0,
  fetch: (request) => (isOnline ? fetch(request) : Promise.reject(new Error('The network is away.'))),
});
const { policyId } = registry;
const device = await Device.open({ folder, client, member: member.did, policyId, tag: 'meters' });
await device.register('Meter on the roof');
console.log('registered', device.did);

isOnline = false;
for (const kWh of [12.5, 13.1, 12.9]) await device.take({ kWh });
console.log('handed in:', await device.handIn());

isOnline = true;
console.log('handed in:', await device.handIn());

interface Grid {
  readonly data: readonly {
    readonly owner: string;
    readonly document: { readonly issuer: string; readonly credentialSubject: readonly [{ readonly kWh: number }] };
  }[];
}
const { data } = await client.policy(policyId).block('readings').read<Grid>();
for (const { owner, document } of data) {
  console.log(document.credentialSubject[0].kWh, 'kWh, signed by', document.issuer, 'for', owner);
}
await registry.close();
await rm(folder, { recursive: true });
