/** Reading a policy without an engine: what block types check is left out where nobody looks at it. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineBlock, finding } from '../src/block.js';
import { packArchive, readPolicy } from '../src/files.js';

const picky = defineBlock({
  type: 'picky',
  title: 'Picky',
  description: '',
  kind: 'server',
  options: z.object({}),
  check: (node) => [finding(node, { code: 'SECRET_LITERAL', message: 'It is never right.' })],
});

const policy = {
  name: 'p',
  policyRoles: [],
  config: {
    id: '1',
    blockType: 'interfaceContainerBlock',
    tag: 'root',
    permissions: ['ANY_ROLE'],
    children: [
      { id: '2', blockType: 'picky', tag: 'picky', permissions: ['ANY_ROLE'] },
      { id: '3', blockType: 'unheardOf', tag: 'other', permissions: ['ANY_ROLE'] },
    ],
  },
};

it('finds what the engine would, and without checks the same tree and what does not take them', async () => {
  const checked = await readPolicy(policy, { blocks: [picky] });
  const unchecked = await readPolicy(policy, { blocks: [picky], check: false });
  const codes = checked.findings.map(({ code }) => code);
  expect(codes).toContain('SECRET_LITERAL');
  expect(unchecked.findings.map(({ code }) => code)).toEqual(codes.filter((code) => code !== 'SECRET_LITERAL'));
  expect(codes).toContain('BLOCK_TYPE_UNKNOWN');
  expect(unchecked.tree.blocks.map(({ tag }) => tag)).toEqual(checked.tree.blocks.map(({ tag }) => tag));
});

const written = `{
  "name": "p",
  "policyRole": [],
  "tokens": [{ "tokenId": "0.0.1", "tokenName": "One", "tokenSymbol": "ONE",
    "tokenType": "funjible" }],
  "config": { "blockType": "interfaceContainerBlock", "tag": "root", "permissions": ["ANY_ROLE"], "children": [
    { "blockType": "unheardOf", "tag": "other" },
    { "blockType": "informationBlock", "tag": "page", "permissions": ["OWNER",
      "Ghost"] }
  ] }
}`;
const placed = [
  ['RECORD_FIELD_INVALID', 3, 3],
  ['TOKEN_UNREADABLE', 5, 5],
  ['BLOCK_TYPE_UNKNOWN', 7, 5],
  ['PERMISSION_UNKNOWN', 9, 7],
];

it('says where findings are in the text that it reads', async () => {
  const { findings } = await readPolicy(Buffer.from(written));
  expect(findings.map(({ code, line, column }) => [code, line, column])).toEqual(placed);
  expect(findings.every(({ file }) => file === undefined)).toBe(true);
});

it('says in which file of an archive findings are, and where', async () => {
  const files = new Map([
    ['policy.json', Buffer.from(written)],
    ['schemas/a.json', Buffer.from('\n\n "no object"')],
  ]);
  const { findings } = await readPolicy(packArchive(files));
  const places = findings.map(({ code, file, line, column }) => [code, file, line, column]);
  expect(places).toEqual(expect.arrayContaining(placed.map(([code, ...place]) => [code, 'policy.json', ...place])));
  expect(places).toContainEqual(['SCHEMA_UNREADABLE', 'schemas/a.json', 3, 2]);
});

it('knows no lines of a value', async () => {
  const { findings } = await readPolicy(policy);
  expect(findings.filter((finding) => 'line' in finding)).toEqual([]);
});
