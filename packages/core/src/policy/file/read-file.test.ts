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
  const own = { archived: undefined, text: undefined };
  expect({ ...archive, ...own }).toEqual({ ...text, ...own });
});

test.each([
  ['nothing', ''],
  ['a text that is no object', '"policy"'],
  ['broken JSON', '{"name": '],
])('%s is refused', (_, text) => {
  expect(() => read(Buffer.from(text))).toThrow(expect.objectContaining({ code: 'POLICY_FILE_INVALID' }));
});

test('people may write comments and trailing commas', () => {
  const text = `\uFEFF// mine\n{ "name": "By hand", "config": { "blockType": "informationBlock", /* it's "here */ "tag": "a", }, }`;
  expect(read(Buffer.from(text)).config).toMatchObject({ tag: 'a' });
});

test.each([
  ['nesting', `{"name": ${'['.repeat(300)}${']'.repeat(300)}}`],
  ['values', `{"name": [${'1,'.repeat(500_000)}1]}`],
])('a quote in a comment hides no excess of %s', (_, text) => {
  expect(() => read(Buffer.from(`// it's 3" long\n${text}`))).toThrow(
    expect.objectContaining({ code: 'POLICY_FILE_TOO_LARGE' }),
  );
});
