/** A policy as one JSON value: read again, it is the policy that it was. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { archive } from '../../../../test/policy-fixtures.js';
import { packArchive } from '../archive-files.js';
import { readPolicyFile, writtenByHand } from '../read-file.js';
import { readPolicyJson } from '../read-json.js';
import { policyAsJson } from './policy-as-json.js';

const real = process.env['BLOCKWORK_REAL_POLICIES'];
const paths =
  real === undefined
    ? []
    : (await readdir(real)).filter((name) => name.endsWith('.policy')).map((name) => join(real, name));

const ids = { uuid: () => crypto.randomUUID() as string };

function expectSame(bytes: Uint8Array): void {
  // Blocks without an id get the same ones.
  const numbered = () => {
    let count = 0;
    return { uuid: () => `00000000-0000-4000-8000-${String((count += 1)).padStart(12, '0')}` };
  };
  const read = readPolicyFile(bytes, { ids: numbered() });
  const { policy, files } = policyAsJson(bytes, { ids: numbered() });
  const again = readPolicyJson(policy, { ids: numbered() });
  const parts = ({ about, config, schemas, tokens }: typeof read) => ({ about, config, schemas, tokens });
  expect(parts(again)).toEqual(parts(read));
  const packed = packArchive(new Map([['policy.json', Buffer.from(JSON.stringify(writtenByHand(policy)))], ...files]));
  const whole = readPolicyFile(packed, { ids: numbered() });
  expect(parts(whole)).toEqual(parts(read));
  expect({ artifacts: whole.artifacts, files: whole.files, tools: whole.tools }).toEqual({
    artifacts: read.artifacts,
    files: read.files,
    tools: read.tools,
  });
}

test.each(paths)('%s is the same policy as JSON', async (path) => expectSame(await readFile(path)));

test('an old archive with links, texts instead of values and other files is the same policy as JSON', () => {
  const root = '00000000-0000-4000-8000-0000000000aa';
  const child = {
    blockType: 'informationBlock',
    tag: 'a',
    defaultActive: 'true',
    dependencies: ['b'],
    options: { title: 'A' },
  };
  const events = [{ source: 'a', output: 'RunEvent', target: 'b', input: 'RunEvent', actor: 'OWNER', disabled: true }];
  const other = {
    blockType: 'informationBlock',
    tag: 'b',
    permissions: ['OWNER'],
    events,
    uiMetaData: { type: 'text' },
  };
  const config = { id: root, blockType: 'interfaceContainerBlock', children: [child, other] };
  expectSame(
    archive({
      'policy.json': JSON.stringify({ name: 'Old', own: { kept: true }, projectSchema: '#not-a-uuid', config }),
      'schemas/a.json': JSON.stringify({ iri: '#a', name: 'A', document: '{"type":"object"}' }),
      'schemas/b.json': JSON.stringify({ iri: '#b', document: 'no json' }),
      'tokens/t.json': JSON.stringify({ tokenId: '0.0.5', tokenName: 'T' }),
      'artifacts/metadata.json': JSON.stringify([{ uuid: 'x', name: 'a.js', extention: 'js' }]),
      'artifacts/x': 'return 1;',
      'tests/one.record': new Uint8Array([0, 255, 1]),
    }),
  );
});

test('of a value there are no files', () => {
  const value = { name: 'One', config: { blockType: 'informationBlock', permissions: ['OWNER'] } };
  const { policy, files } = policyAsJson(value, { ids });
  expect(files.size).toBe(0);
  expect(policy).toMatchObject({ name: 'One', config: { blockType: 'informationBlock', permissions: ['OWNER'] } });
  expect(policyAsJson(Buffer.from(JSON.stringify(value)), { ids }).files.size).toBe(0);
});
