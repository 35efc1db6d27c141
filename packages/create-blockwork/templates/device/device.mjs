/** A meter: `node device.mjs <server> <policy> <kilowatt hours>`, with the token of its member in BLOCKWORK_TOKEN. */
import { createClient } from '@blockwork/client';
import { pathToFileURL } from 'node:url';
import { openKey } from './key.mjs';

/** Who the token names, without checking it: the server does. */
const memberOf = (token) => JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString()).sub;

/** Registers the key of the device for its member, where that has not been done, and hands in one reading. */
export async function handIn({ url, token, policyId, keyFile, kilowattHours }) {
  const client = createClient({ url, token });
  const key = await openKey(keyFile);
  await register(client, key, memberOf(token));
  const document = key.issue({ id: key.did, at: new Date().toISOString(), kilowattHours });
  const body = { owner: key.did, document, ref: null };
  await client.routes.sendExternalDataToBlock({ policyId, tag: 'meters', body });
  return key.did;
}

async function register(client, key, member) {
  for await (const { did, revokeDate } of client.keys()) {
    if (did === key.did && revokeDate === undefined) return;
  }
  const registration = key.issue({ id: member, type: 'KeyRegistration' });
  await client.routes.registerKey({ body: { registration, name: 'A meter' } });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [url, policyId, amount] = process.argv.slice(2);
  const kilowattHours = Number(amount);
  const token = process.env.BLOCKWORK_TOKEN;
  if (token === undefined || policyId === undefined || !Number.isFinite(kilowattHours)) {
    console.error('BLOCKWORK_TOKEN=... node device.mjs <server> <policy> <kilowatt hours>');
    process.exit(2);
  }
  const did = await handIn({ url, token, policyId, keyFile: 'device-key.pem', kilowattHours });
  console.log(`${did} handed in ${kilowattHours} kilowatt hours.`);
}
