import { expect, test } from 'vitest';
import { SequentialIds } from '@blockwork/testing';
import { packArchive } from './archive-files.js';
import { readPolicyFile, writtenByHand } from './read-file.js';

const policy = {
  $schema: 'https://example.org/policy.schema.json',
  name: 'By hand',
  schemas: [{ iri: '#a', name: 'A', document: { $id: '#a', type: 'object', properties: {} } }],
  config: {
    blockType: 'interfaceContainerBlock',
    tag: 'root',
    children: [{ blockType: 'informationBlock', tag: 'later', dependencies: ['root'] }],
  },
};
const bytesOf = (value: unknown): Uint8Array => Buffer.from(`\n ${JSON.stringify(value)}`);
const read = (bytes: Uint8Array) => readPolicyFile(bytes, { ids: new SequentialIds() });

test('the text of a policy is read like an archive of it', () => {
  const text = read(bytesOf(policy));
  expect([text.about.name, text.schemas.map(({ id }) => id), text.findings]).toEqual(['By hand', ['#a'], []]);
  const archive = read(packArchive(new Map([['policy.json', bytesOf(writtenByHand(policy))]])));
  expect({ ...archive, archived: undefined }).toEqual({ ...text, archived: undefined });
});

test.each([
  ['nothing', ''],
  ['a text that is no object', '"policy"'],
  ['broken JSON', '{"name": '],
])('%s is refused', (_, text) => {
  expect(() => read(Buffer.from(text))).toThrow(expect.objectContaining({ code: 'POLICY_FILE_INVALID' }));
});
