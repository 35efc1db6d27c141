import type { Json } from '../records/json/json.js';
import { defineBlock } from '@blockwork/core/block';
import { block, blockBench, documents } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

/** Answers with what the user may point at here. */
const pointer = defineBlock({
  type: 'pointer',
  title: '',
  description: '',
  kind: 'interface',
  children: ['source'],
  input: z.object({ id: z.string() }),
  receive: async (ctx, { id }) => [(await ctx.offered(id))?.id ?? ''],
});

const mine = 'did:example:mine';
const rows = documents(2, (at) => ({ id: `row-${String(at)}`, owner: at === 0 ? mine : 'did:example:theirs' }));
const source = (more: object = {}): object => ({
  ...block('documentsSourceAddon', `source-${JSON.stringify(more)}`),
  dataType: 'vc-documents',
  ...more,
});
const grid = (fields: object[], more: object = {}): object => ({
  ...block('interfaceDocumentsSourceBlock', 'grid'),
  uiMetaData: { fields },
  children: [source()],
  ...more,
});
const ask = (setup: object, id: string): Promise<Json> =>
  blockBench(pointer, setup).as({ role: 'Installer', did: mine }).send({ id });
const beside = (other: object): object => ({
  parent: { blockType: 'interfaceContainerBlock', tag: 'box', children: [other], documents: rows },
});

describe('what a user may point at', () => {
  it('is what a grid shows them that offers the block in a column', async () => {
    expect(await ask(beside(grid([{ bindBlock: 'block' }])), 'row-1')).toEqual(['row-1']);
    expect(await ask(beside(grid([{ bindBlocks: ['other', 'block'] }])), 'row-1')).toEqual(['row-1']);
  });

  it('is nothing of a grid that does not offer it', async () => {
    expect(await ask(beside(grid([{ bindBlock: 'another' }, { name: 'id' }])), 'row-0')).toEqual(['']);
  });

  it('is nothing of a grid that is not open to them', async () => {
    const closed = grid([{ bindBlock: 'block' }], { permissions: ['OWNER'] });
    expect(await ask(beside(closed), 'row-0')).toEqual(['']);
  });

  it('is only what the sources of the grid let them see', async () => {
    const own = grid([{ bindBlock: 'block' }], { children: [source({ onlyOwnDocuments: true })] });
    expect(await ask(beside(own), 'row-0')).toEqual(['row-0']);
    expect(await ask(beside(own), 'row-1')).toEqual(['']);
  });

  it('is what the grid around the block shows, and what its own sources supply', async () => {
    const around = { parent: grid([], { documents: rows }) };
    expect(await ask(around, 'row-1')).toEqual(['row-1']);
    const within = { children: [source({ onlyOwnDocuments: true })], documents: rows };
    expect(await ask(within, 'row-0')).toEqual(['row-0']);
    expect(await ask(within, 'row-1')).toEqual(['']);
  });
});
