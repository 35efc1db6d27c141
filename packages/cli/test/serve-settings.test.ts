/** Settings of `blockwork serve` arrive at the engine: the templates of a folder, the suite of proofs, and the topic of DIDs. */
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolders } from '../../../test/support/folders.js';
import { start, type RunningServer } from '../src/serve/server.js';
import { readSettings } from '../src/serve/settings.js';
import { run } from './support/run.js';

const examples = fileURLToPath(new URL('../../../examples/serve/policies', import.meta.url));
const newFolder = temporaryFolders();
let folder = '';
let running: RunningServer | undefined;

beforeEach(async () => {
  folder = await newFolder();
  await cp(examples, join(folder, 'policies'), { recursive: true });
});
afterEach(() => running?.close());

const ledger = {
  BLOCKWORK_LEDGER: 'hedera',
  BLOCKWORK_HEDERA_NETWORK: 'testnet',
  BLOCKWORK_HEDERA_OPERATOR: '0.0.1234',
  BLOCKWORK_HEDERA_KEY: '5e'.repeat(32),
  // Nothing answers there.
  BLOCKWORK_HEDERA_MIRROR: 'http://127.0.0.1:9',
  BLOCKWORK_HEDERA_NODES: '0.0.3=127.0.0.1:9',
};

/** Starts with the story of the demonstration; resolves to what asks the server, as one of its people. */
async function served(variables: Record<string, string>) {
  const settings = {
    BLOCKWORK_DATA: join(folder, 'data'),
    BLOCKWORK_PORT: '0',
    BLOCKWORK_LOG: 'silent',
    BLOCKWORK_POLICIES: join(folder, 'policies'),
    ...variables,
  };
  running = await start(readSettings(settings), () => undefined);
  const { url } = running;
  return async (who: string, path: string, data?: object): Promise<unknown> => {
    const { out } = await run(['token', '--as', who], { env: { BLOCKWORK_DATA: join(folder, 'data') } });
    const headers = { authorization: `Bearer ${out.trim()}`, 'content-type': 'application/json' };
    const sent = data === undefined ? {} : { method: 'POST', body: JSON.stringify(data) };
    return (await fetch(`${url}/api/v1${path}`, { headers, ...sent })).json();
  };
}

it('of two templates with one name, that of the folder is offered', async () => {
  const templates = join(folder, 'templates');
  await mkdir(templates);
  const policy = { name: 'Our registry', config: { blockType: 'interfaceContainerBlock', permissions: ['ANY_ROLE'] } };
  await writeFile(join(templates, 'registry.policy.json'), JSON.stringify(policy));
  const ask = await served({ BLOCKWORK_TEMPLATES: templates });
  const offered = (await ask('owner', '/templates')) as { readonly name: string; readonly title: string }[];
  expect(offered.filter(({ name }) => name === 'registry').map(({ title }) => title)).toEqual(['Our registry']);
});

it.each(['eddsa-jcs-2022', 'Ed25519Signature2018'])('documents are signed with %s', async (proofs) => {
  const ask = await served({ BLOCKWORK_PROOFS: proofs });
  const path = '/policies/energy-certificates/tag/applications/blocks';
  const { data } = (await ask('owner', path)) as { data: { readonly document: { readonly proof: object } }[] };
  expect(data.length).toBeGreaterThan(0);
  for (const { document } of data)
    expect(Object.values(document.proof)).toContain(proofs === 'eddsa-jcs-2022' ? 'DataIntegrityProof' : proofs);
});

it('with a topic of DIDs, the subjects of forms have identities on Hedera', async () => {
  const policies = join(folder, 'sites');
  await mkdir(policies);
  const isForAll = { permissions: ['ANY_ROLE'], defaultActive: true };
  const form = { blockType: 'requestVcDocumentBlock', tag: 'site', schema: '#site', idType: 'DID', ...isForAll };
  const policy = {
    name: 'Sites',
    schemas: [{ iri: '#site', document: { $id: '#site', type: 'object', properties: { name: { type: 'string' } } } }],
    config: { blockType: 'interfaceContainerBlock', ...isForAll, children: [form] },
  };
  await writeFile(join(policies, 'sites.policy.json'), JSON.stringify(policy));
  const ask = await served({
    BLOCKWORK_POLICIES: policies,
    ...ledger,
    BLOCKWORK_HEDERA_DID_TOPIC: '0.0.4711',
  });
  const path = '/policies/sites/tag/site/blocks';
  const answer = (await ask('owner', path, { document: { name: 'Roof' }, ref: null })) as object;
  expect(answer).toMatchObject({
    document: {
      credentialSubject: [{ id: expect.stringMatching(/^did:hedera:testnet:.+_0\.0\.4711$/) as unknown, name: 'Roof' }],
    },
  });
});

it('with a public ledger, the example is there to be published, and nothing is published for it', async () => {
  const ask = await served(ledger);
  expect(await ask('owner', '/policies/energy-certificates')).toMatchObject({ status: 'DRAFT' });
});
