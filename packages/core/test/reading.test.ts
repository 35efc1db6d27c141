/** Reading a policy without an engine: what block types check is left out where nobody looks at it. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineBlock, finding } from '../src/block.js';
import { readPolicy } from '../src/files.js';

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
