import { defineBlock, interfaceDocumentsSourceBlock } from '@blockwork/core/block';
import { blockBench, documents, type BenchSetup, type BlockBench, type BlockFragment } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

type Row = Record<string, unknown> & { id: string; __sourceTag__: string; document: { id: string } };
type Answer = Record<string, unknown> & { data: Row[] };

const source = (tag: string, more: Partial<BlockFragment> = {}): BlockFragment => ({
  blockType: 'documentsSourceAddon',
  tag,
  dataType: 'vc-documents',
  ...more,
});
const whereType = (type: string): object => ({ filters: [{ type: 'equal', field: 'type', value: type }] });
const filter = (tag: string, more: Partial<BlockFragment> = {}): BlockFragment => ({
  blockType: 'filtersAddon',
  tag,
  field: 'option.status',
  optionName: 'option.status',
  optionValue: 'option.status',
  canBeEmpty: true,
  ...more,
});

const gridOf = (setup: BenchSetup): BlockBench =>
  blockBench(interfaceDocumentsSourceBlock, { children: [source('all')], ...setup });
const answerOf = async (bench: BlockBench, query = {}, role = 'Installer') =>
  (await bench.as(role).read(query)) as Answer;
/** Which documents are shown, by the number that `documents` counts up from 0. */
const shown = ({ data }: Answer): number[] => data.map((row) => parseInt(row.document.id.slice(-12), 16));

/** Numbers 0, 1, 2, ... with ranks that go up and down: 0, 2, 1, 0, 2, ... */
const ranked = (count: number) => documents(count, (at) => ({ option: { rank: (at * 2) % 3 } }));
const byRank = { orderField: 'option.rank', orderDirection: 'ASC' };

describe('interfaceDocumentsSourceBlock', () => {
  it('answers with the keys of the reference, and the documents with what clients read of them', async () => {
    const bench = gridOf({
      documents: documents(2),
      options: { uiMetaData: { title: 'Reports', fields: [{ name: 'document.id', title: 'Id', type: 'text' }] } },
      children: [
        source('all', { uiMetaData: { a: 1 } }),
        filter('by-status', { uiMetaData: { b: 2 } }),
        { blockType: 'historyAddon', tag: 'history' },
        { blockType: 'paginationAddon', tag: 'pages' },
        { blockType: 'informationBlock', tag: 'hint' },
      ],
    });
    const stored = await bench.documents();
    const history = [{ labelValue: null, comment: null, status: null, reason: null, created: expect.any(String) }];
    expect(await answerOf(bench)).toEqual({
      id: expect.any(String),
      blockType: 'interfaceDocumentsSourceBlock',
      actionType: 'local',
      readonly: false,
      title: 'Reports',
      fields: [{ name: 'document.id', title: 'Id', type: 'text' }],
      page: 0,
      pageSize: 10,
      totalCount: 2,
      hasPreviousPage: false,
      hasNextPage: false,
      data: stored.map((document) => ({
        ...document,
        _id: document.id,
        messageIds: [],
        option: { status: 'NEW' },
        __sourceTag__: 'all',
        history,
      })),
      blocks: [{ id: expect.any(String), uiMetaData: { b: 2 }, blockType: 'filtersAddon' }],
      commonAddons: [
        { id: expect.any(String), uiMetaData: { a: 1 }, blockType: 'documentsSourceAddon' },
        { id: expect.any(String), uiMetaData: {}, blockType: 'historyAddon' },
        { id: expect.any(String), uiMetaData: {}, blockType: 'paginationAddon' },
      ],
      viewHistory: true,
    });
  });

  it('without a paging addon shows all documents, and no facts about pages', async () => {
    const answer = await answerOf(gridOf({ documents: documents(25) }));
    expect(answer.data).toHaveLength(25);
    expect(answer).toMatchObject({ viewHistory: false, blocks: [] });
    for (const key of ['page', 'pageSize', 'totalCount', 'hasPreviousPage', 'hasNextPage'])
      expect(answer).not.toHaveProperty(key);
  });

  it('without a source shows nothing', async () => {
    const bench = gridOf({ documents: documents(3), children: [] });
    expect((await answerOf(bench)).data).toEqual([]);
    const { engine, policyId, owner } = await bench.open();
    expect(await engine.getFindings(owner, policyId)).toMatchObject([
      { severity: 'warning', path: '/children/0/children', message: expect.stringContaining('no source') as string },
    ]);
  });

  it('lets no key of uiMetaData hide what is computed', async () => {
    const forged = {
      data: 'x',
      id: 'x',
      blockType: 'x',
      actionType: 'x',
      readonly: 'x',
      blocks: 'x',
      commonAddons: 'x',
      viewHistory: 'x',
      totalCount: 'x',
      page: 'x',
    };
    const children = [source('all'), { blockType: 'paginationAddon', tag: 'pages' }];
    const honest = await answerOf(gridOf({ documents: documents(2), children }));
    expect(await answerOf(gridOf({ documents: documents(2), children, options: { uiMetaData: forged } }))).toEqual(
      honest,
    );
  });

  it('lets no order that a user sends hide what is computed', async () => {
    const bench = gridOf({ documents: documents(2), options: { uiMetaData: { enableSorting: true } } });
    await bench.as('Installer').send({ ...byRank, data: 'x', id: 'x' });
    expect((await answerOf(bench)).data).toHaveLength(2);
  });

  describe('order', () => {
    it('is the one that the user sent, where the policy enables sorting; the answer says which', async () => {
      const bench = gridOf({ documents: ranked(5), options: { uiMetaData: { enableSorting: true } } });
      expect(shown(await answerOf(bench))).toEqual([0, 1, 2, 3, 4]);
      expect(await bench.as('Installer').send(byRank)).toEqual({});
      const answer = await answerOf(bench);
      expect(shown(answer)).toEqual([0, 3, 2, 1, 4]);
      expect(answer).toMatchObject({ orderField: 'option.rank', orderDirection: 'asc' });
      await bench.as('Installer').send({ ...byRank, orderDirection: 'desc' });
      expect(shown(await answerOf(bench))).toEqual([4, 1, 2, 3, 0]);
    });

    it.each([{}, { enableSorting: false }, { enableSorting: 'yes' }])(
      'that the user sent changes nothing under uiMetaData %j, and the answer does not claim it',
      async (uiMetaData) => {
        const bench = gridOf({ documents: ranked(5), options: { uiMetaData } });
        await bench.as('Installer').send(byRank);
        const answer = await answerOf(bench);
        expect(shown(answer)).toEqual([0, 1, 2, 3, 4]);
        expect(answer).not.toHaveProperty('orderField');
      },
    );

    it('belongs to each user, and is taken back by an empty one', async () => {
      const bench = gridOf({ documents: ranked(3), options: { uiMetaData: { enableSorting: true } } });
      await bench.as('Installer').send({ ...byRank, orderDirection: 'DESC' });
      expect(shown(await answerOf(bench))).toEqual([1, 2, 0]);
      expect(shown(await answerOf(bench, {}, 'Verifier'))).toEqual([0, 1, 2]);
      await bench.as('Installer').send({ orderField: '', orderDirection: '' });
      expect(shown(await answerOf(bench))).toEqual([0, 1, 2]);
    });

    it('is the one in the query for one answer only, whether or not sorting is enabled', async () => {
      const bench = gridOf({ documents: ranked(5) });
      expect(shown(await answerOf(bench, { sortField: 'option.rank', sortDirection: 'DESC' }))).toEqual([
        4, 1, 2, 3, 0,
      ]);
      expect(shown(await answerOf(bench, { sortField: 'option.rank' }))).toEqual([0, 3, 2, 1, 4]);
      expect(shown(await answerOf(bench, { sortDirection: 'desc' }))).toEqual([4, 3, 2, 1, 0]);
      expect(shown(await answerOf(bench))).toEqual([0, 1, 2, 3, 4]);
    });

    it('in the query wins over the one that the user sent, and leaves it alone', async () => {
      const bench = gridOf({ documents: ranked(3), options: { uiMetaData: { enableSorting: true } } });
      await bench.as('Installer').send(byRank);
      expect(shown(await answerOf(bench, { sortField: 'createDate', sortDirection: 'desc' }))).toEqual([2, 1, 0]);
      expect(shown(await answerOf(bench))).toEqual([0, 2, 1]);
    });

    it.each([
      [{ sortField: 'createDate', sortDirection: 'up' }, 'sortDirection'],
      [{ sortDirection: '1' }, 'sortDirection'],
      [{ sortField: 'x'.repeat(201) }, 'sortField'],
    ])('is refused when the query says %j', async (query, path) => {
      await expect(
        gridOf({ documents: documents(2) })
          .as('Installer')
          .read(query),
      ).rejects.toMatchObject({
        code: 'QUERY_INVALID',
        status: 422,
        details: [expect.objectContaining({ path })],
      });
    });

    it.each([{ orderField: 7 }, { orderDirection: 'up' }, 'option.rank', null])(
      'is refused when the user sends %j',
      async (data) => {
        await expect(gridOf({}).as('Installer').send(data)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
      },
    );
  });

  describe('filterByUUID', () => {
    const pages = { blockType: 'paginationAddon', tag: 'pages' };
    const idOf = (at: number): string => documents(at + 1)[at]!.document.id as string;

    it('finds the document by the id inside it, on whatever page it would be and the user is', async () => {
      const bench = gridOf({ documents: documents(12), children: [source('all'), pages] });
      await bench.as('Installer').at('pages').send({ page: 1, itemsPerPage: 5 });
      const answer = await answerOf(bench, { filterByUUID: idOf(11) });
      expect(shown(answer)).toEqual([11]);
      expect(answer).toMatchObject({ totalCount: 1, page: 0, hasNextPage: false, hasPreviousPage: false });
      expect(shown(await answerOf(bench))).toEqual([5, 6, 7, 8, 9]);
    });

    it('shows nothing where no document has the id', async () => {
      const bench = gridOf({ documents: documents(3), children: [source('all'), pages] });
      expect(await answerOf(bench, { filterByUUID: idOf(3) })).toMatchObject({ data: [], totalCount: 0 });
    });

    it('finds no document that the grid does not show', async () => {
      const bench = gridOf({ documents: documents(3), children: [source('none', whereType('other'))] });
      expect((await answerOf(bench, { filterByUUID: idOf(1) })).data).toEqual([]);
    });
  });

  describe('with several sources', () => {
    const mixed = documents(6, (at) => ({ type: at % 2 === 0 ? 'even' : 'odd' }));

    it('shows them one after another, each document with the tag of its source', async () => {
      const bench = gridOf({
        documents: mixed,
        children: [source('odd', whereType('odd')), source('even', whereType('even'))],
      });
      const answer = await answerOf(bench);
      expect(shown(answer)).toEqual([1, 3, 5, 0, 2, 4]);
      expect(answer.data.map((row) => row.__sourceTag__)).toEqual(['odd', 'odd', 'odd', 'even', 'even', 'even']);
    });

    it('shows a document that several of them match once, as one of the first', async () => {
      const bench = gridOf({
        documents: mixed,
        children: [source('odd', whereType('odd')), source('all'), source('again')],
      });
      const answer = await answerOf(bench);
      expect(shown(answer)).toEqual([1, 3, 5, 0, 2, 4]);
      expect(answer.data.map((row) => row.__sourceTag__)).toEqual(['odd', 'odd', 'odd', 'all', 'all', 'all']);
    });

    it('does so in one order as well', async () => {
      const bench = gridOf({ documents: mixed, children: [source('odd', whereType('odd')), source('all')] });
      const answer = await answerOf(bench, { sortField: 'createDate', sortDirection: 'desc' });
      expect(shown(answer)).toEqual([5, 4, 3, 2, 1, 0]);
      expect(answer.data.map((row) => row.__sourceTag__)).toEqual(['odd', 'all', 'odd', 'all', 'odd', 'all']);
    });

    it('keeps the order of each source, until there is one for the grid', async () => {
      const newest = source('odd', { ...whereType('odd'), orderDirection: 'DESC' });
      const bench = gridOf({ documents: mixed, children: [newest, source('even', whereType('even'))] });
      expect(shown(await answerOf(bench))).toEqual([5, 3, 1, 0, 2, 4]);
      expect(shown(await answerOf(bench, { sortField: 'createDate', sortDirection: 'asc' }))).toEqual([
        0, 1, 2, 3, 4, 5,
      ]);
    });
  });

  describe('for a user who lacks the permission', () => {
    const secret = { permissions: ['Verifier'] };
    const setup: BenchSetup = {
      roles: ['Installer', 'Verifier'],
      documents: documents(3, (at) => ({ type: at === 0 ? 'open' : 'secret' })),
    };

    it('shows the rows of its sources all the same, and their filters: who sees the grid sees its rows', async () => {
      const children = [
        source('open', whereType('open')),
        source('secret', { ...whereType('secret'), ...secret, children: [filter('by-status')] }),
      ];
      const bench = gridOf({ ...setup, children });
      const answer = await answerOf(bench);
      expect(shown(answer)).toEqual([0, 1, 2]);
      expect(answer).toMatchObject({ blocks: [{ blockType: 'filtersAddon' }] });
      expect(answer['commonAddons']).toHaveLength(2);
      expect(answer).toEqual(await answerOf(bench, {}, 'Verifier'));
    });

    it('leaves filters, pages and history out', async () => {
      const children = [
        source('all'),
        filter('by-status', secret),
        { blockType: 'paginationAddon', tag: 'pages', ...secret },
        { blockType: 'historyAddon', tag: 'history', ...secret },
      ];
      const bench = gridOf({ ...setup, children });
      const answer = await answerOf(bench);
      expect(answer).toMatchObject({
        blocks: [],
        commonAddons: [{ blockType: 'documentsSourceAddon' }],
        viewHistory: false,
      });
      expect(answer).not.toHaveProperty('page');
      expect(answer.data[0]).not.toHaveProperty('history');
      expect(await answerOf(bench, {}, 'Verifier')).toMatchObject({ viewHistory: true, page: 0, blocks: [{}] });
    });
  });

  it('uses a source whose defaultActive is false, as published policies write it', async () => {
    const bench = gridOf({ documents: documents(2), children: [source('all', { defaultActive: false })] });
    expect(shown(await answerOf(bench))).toEqual([0, 1]);
  });

  it('lets addons of other makers add to the rows, one after another', async () => {
    const stamp = defineBlock({
      type: 'stamp',
      title: 'Stamp',
      description: 'Stamps each row.',
      kind: 'addon',
      options: z.object({ mark: z.string() }),
      enrich: ({ options: { mark } }, rows) =>
        rows.map((row) => ({ ...row, marks: [...((row['marks'] as string[] | undefined) ?? []), mark] })),
    });
    const children = [
      source('all'),
      { blockType: 'stamp', tag: 's1', mark: 'A' },
      { blockType: 'no such block', tag: 'unknown' },
      { blockType: 'stamp', tag: 's2', mark: 'B' },
    ];
    const bench = gridOf({ documents: documents(1), blocks: [stamp], children });
    expect((await answerOf(bench)).data[0]).toMatchObject({ marks: ['A', 'B'] });
  });

  it('warns of a column that opens a block which does not exist', async () => {
    const fields = [
      { name: 'a' },
      { name: 'b', bindBlock: 'hint' },
      { name: 'c', bindBlock: '' },
      { name: 'd', bindBlock: 'gone' },
      'no column',
    ];
    const bench = gridOf({
      options: { uiMetaData: { fields } },
      children: [source('all'), { blockType: 'informationBlock', tag: 'hint' }],
    });
    expect(await bench.findings()).toMatchObject([
      {
        severity: 'warning',
        code: 'REFERENCE_UNKNOWN',
        tag: 'block',
        path: '/children/0/uiMetaData/fields/3/bindBlock',
        message: expect.stringContaining('"gone"'),
      },
    ]);
  });
});
