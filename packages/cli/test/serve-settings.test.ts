/** Settings of `blockwork serve` arrive at the engine: the templates of a folder, and the suite of proofs. */
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
  return async (who: string, path: string): Promise<unknown> => {
    const { out } = await run(['token', '--as', who], { env: { BLOCKWORK_DATA: join(folder, 'data') } });
    const answer = await fetch(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${out.trim()}` } });
    return answer.json();
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
