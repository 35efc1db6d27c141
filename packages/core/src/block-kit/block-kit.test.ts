import {
  columnsOpening,
  defineBlock,
  documentsIn,
  gridColumns,
  heading,
  passOn,
  shapedLike,
  tolerant,
  type GridColumn,
  type ReadContext,
} from '@blockwork/core/block';
import { blockBench } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const named = { title: '', description: '', kind: 'interface' } as const;

describe('option schemas take what policies write', () => {
  it.each<[string, z.ZodType, unknown[], unknown]>([
    ['yes', tolerant.flag, [true, 'true', 'TRUE'], true],
    ['no', tolerant.flag, [false, 'false', 'FALSE', '', null, undefined], false],
    ['no text', tolerant.text, ['', null, undefined], ''],
    ['no names', tolerant.names, [[], null, undefined], []],
    ['no list', tolerant.listOf(z.number()), [[], null, undefined], []],
    ['no direction', tolerant.direction, ['', null, undefined], null],
    ['a direction', tolerant.direction, ['desc', 'DESC'], 'desc'],
  ])('as %s', (_, schema, written, meant) => {
    for (const value of written) expect(schema.parse(value)).toEqual(meant);
  });

  it.each<[string, z.ZodType, unknown]>([
    ['a flag', tolerant.flag, 'yes'],
    ['a text', tolerant.text, 7],
    ['a list of names', tolerant.names, 'one'],
    ['a list of numbers', tolerant.listOf(z.number()), ['one']],
    ['a direction', tolerant.direction, 'up'],
  ])('but nothing else as %s', (_, schema, written) => {
    expect(schema.safeParse(written).success).toBe(false);
  });
});

describe('the documents of an event', () => {
  const one = { id: '1', owner: 'ann', document: { type: 'A' } };
  const other = { owner: 'bob', document: { type: 'B' } };

  it('are found in a list, alone, and not in anything else', () => {
    expect(documentsIn([one, null, 'text', { id: '2' }, [other], other])).toEqual([one, other]);
    expect(documentsIn(one)).toEqual([one]);
    expect(documentsIn({ document: 'a text' })).toEqual([]);
    expect(documentsIn(null)).toEqual([]);
  });

  it('are handed on in the form in which they came', () => {
    expect(shapedLike([other], [one])).toEqual([other]);
    expect(shapedLike([other], one)).toBe(other);
    expect(shapedLike([], [])).toEqual([]);
    expect(shapedLike([], one)).toBeNull();
  });
});

/** Shows which columns of its policy open it. */
const columnsOf = (columns: (ctx: ReadContext) => readonly GridColumn[]) =>
  defineBlock({
    ...named,
    type: 'opened',
    read: (ctx) => columns(ctx).map(({ grid, index, source }) => [grid.tag, index, source?.tag ?? null]),
  });

describe('grid columns', () => {
  const source = { blockType: 'documentsSourceAddon', tag: 'rows', dataType: 'vc-documents' };
  const gridOf = (fields: unknown) => ({
    blockType: 'interfaceDocumentsSourceBlock',
    tag: 'grid',
    uiMetaData: { fields },
    children: [source],
  });

  it('open a block by its tag, alone or among others, from the rows of one source or of all', async () => {
    const parent = gridOf([
      { name: 'owner' },
      { bindBlock: 'block' },
      { bindBlock: 'other' },
      'stray',
      { bindBlocks: ['other', 'block', 7], bindGroup: 'rows' },
      { bindBlock: 'block', bindGroup: 'gone' },
    ]);
    const bench = blockBench(columnsOf(columnsOpening), { parent });
    expect(await bench.as('Anybody').read()).toEqual([
      ['grid', 1, null],
      ['grid', 4, 'rows'],
      ['grid', 5, null],
    ]);
  });

  it('are none where the grid has no list of them', async () => {
    const all = ({ policy }: ReadContext): GridColumn[] => policy.blocks.flatMap(gridColumns);
    for (const fields of [undefined, null, 'name', {}]) {
      expect(
        await blockBench(columnsOf(all), { parent: gridOf(fields) })
          .as('Anybody')
          .read(),
      ).toEqual([]);
    }
  });

  it('count in the position that the policy gives them', async () => {
    const bench = blockBench(columnsOf(columnsOpening), { parent: gridOf([null, { bindBlock: 'lost' }]) });
    expect(await bench.findings()).toMatchObject([
      { tag: 'grid', path: expect.stringMatching(/\/uiMetaData\/fields\/1\/bindBlock$/) as string },
    ]);
  });
});

it('the heading of an answer identifies the block', async () => {
  const bench = blockBench(defineBlock({ ...named, type: 'shown', read: heading }));
  const id = expect.stringMatching(/^[\da-f-]{36}$/) as string;
  expect(await bench.as('Anybody').read()).toEqual({ id, blockType: 'shown', actionType: 'local', readonly: false });
});

it('a block that passes on runs what is next and refreshes its grid, both with the data', async () => {
  const block = defineBlock({
    ...named,
    type: 'passing',
    receive: (ctx) => passOn(ctx, { owner: 'ann', document: {} }),
  });
  const bench = blockBench(block);
  await bench.as('Anybody').send({});
  expect(bench.emitted.map(({ output }) => output)).toEqual(['RunEvent', 'RefreshEvent']);
  for (const { data } of bench.emitted) expect(data).toEqual({ owner: 'ann', document: {} });
});
