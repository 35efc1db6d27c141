import { paginationAddon } from '@blockwork/core/block';
import { blockBench, documents, gridWith, type BlockBench } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';

const grid = (count: number, options = {}): ReturnType<typeof gridWith> => gridWith(documents(count), options);
const paged = (count: number): BlockBench => blockBench(paginationAddon(), { parent: grid(count) });

const gridAnswer = async (bench: BlockBench, query = {}, role = 'Installer') =>
  (await bench.as(role).at('grid').read(query)) as Record<string, unknown> & { data: { document: { id: string } }[] };

describe('paginationAddon', () => {
  it('begins at page 0 with ten items per page, and computes the size', async () => {
    expect(await paged(23).as('Installer').read()).toEqual({ size: 23, itemsPerPage: 10, page: 0 });
  });

  it('remembers the page that a user sent, and shows the grid at it', async () => {
    const bench = paged(23);
    expect(await bench.as('Installer').send({ size: 23, itemsPerPage: 5, page: 2 })).toEqual({});
    expect(await bench.as('Installer').read()).toEqual({ size: 23, itemsPerPage: 5, page: 2 });
    const answer = await gridAnswer(bench);
    expect(answer).toMatchObject({ page: 2, pageSize: 5, totalCount: 23, hasPreviousPage: true, hasNextPage: true });
    expect(answer.data.map((row) => row.document.id.slice(-2))).toEqual(['0a', '0b', '0c', '0d', '0e']);
  });

  it('keeps the pages of two users, and of two groups of one user, apart', async () => {
    const bench = paged(23);
    await bench
      .as({ role: 'Installer', group: '10000000-0000-4000-8000-000000000001' })
      .send({ itemsPerPage: 5, page: 1 });
    await bench
      .as({ role: 'Installer', group: '10000000-0000-4000-8000-000000000002' })
      .send({ itemsPerPage: 5, page: 2 });
    await bench.as({ role: 'Installer', did: 'did:bench:other' }).send({ itemsPerPage: 5, page: 3 });
    const read = (user: object) => bench.as({ role: 'Installer', ...user }).read();
    expect(await read({ group: '10000000-0000-4000-8000-000000000001' })).toMatchObject({ page: 1 });
    expect(await read({ group: '10000000-0000-4000-8000-000000000002' })).toMatchObject({ page: 2 });
    expect(await read({ did: 'did:bench:other' })).toMatchObject({ page: 3 });
  });

  it('ignores the size that a client sends, whatever it is', async () => {
    const bench = paged(3);
    await bench.as('Installer').send({ size: 'many', itemsPerPage: 5, page: 0 });
    expect(await bench.as('Installer').read()).toEqual({ size: 3, itemsPerPage: 5, page: 0 });
  });

  it.each([
    ['a missing page', { itemsPerPage: 5 }, '/page'],
    ['a missing itemsPerPage', { page: 0 }, '/itemsPerPage'],
    ['a negative page', { itemsPerPage: 5, page: -1 }, '/page'],
    ['no items per page', { itemsPerPage: 0, page: 0 }, '/itemsPerPage'],
    ['too many items per page', { itemsPerPage: 1001, page: 0 }, '/itemsPerPage'],
    ['a fraction', { itemsPerPage: 5, page: 1.5 }, '/page'],
    ['a text that is no integer', { itemsPerPage: '5 ', page: 0 }, '/itemsPerPage'],
    ['a text in hexadecimal', { itemsPerPage: '0x5', page: 0 }, '/itemsPerPage'],
    ['null', { itemsPerPage: null, page: 0 }, '/itemsPerPage'],
    ['a list', { itemsPerPage: [5], page: 0 }, '/itemsPerPage'],
    ['a field that it does not know', { itemsPerPage: 5, page: 0, offset: 3 }, '/offset'],
    ['no object at all', null, ''],
  ])('refuses %s, names the place, and leaves the state as it was', async (_, data, path) => {
    const bench = paged(23);
    await bench.as('Installer').send({ itemsPerPage: 7, page: 1 });
    await expect(bench.as('Installer').send(data)).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      status: 422,
      details: [expect.objectContaining({ path })],
    });
    expect(await bench.as('Installer').read()).toEqual({ size: 23, itemsPerPage: 7, page: 1 });
  });

  it.each([
    ['the first page of one item', { page: 0, itemsPerPage: 1 }],
    ['the largest page', { page: 0, itemsPerPage: 1000 }],
    ['the last page that there can be', { page: 1e12, itemsPerPage: 1 }],
    ['text', { page: '1000000000000', itemsPerPage: '0001000' }],
  ])('takes %s', async (_, data) => {
    const bench = paged(3);
    await bench.as('Installer').send(data);
    expect(await bench.as('Installer').read()).toEqual({
      size: 3,
      page: Number(data.page),
      itemsPerPage: Number(data.itemsPerPage),
    });
  });

  it.each([
    [{ page: -1, itemsPerPage: 5 }, '/page', 'must be 0 or more'],
    [{ page: '-1', itemsPerPage: 5 }, '/page', 'must be 0 or more'],
    [{ page: 1e12 + 1, itemsPerPage: 5 }, '/page', 'is too large'],
    [{ page: 0, itemsPerPage: 0 }, '/itemsPerPage', 'must be 1 or more'],
    [{ page: 0, itemsPerPage: 1001 }, '/itemsPerPage', 'must be 1000 or less'],
    [{ page: 1.5, itemsPerPage: 5 }, '/page', 'must be an integer'],
    [{ page: '1'.repeat(17), itemsPerPage: 5 }, '/page', 'must be an integer'],
    [{ page: ' 1', itemsPerPage: 5 }, '/page', 'must be an integer'],
    [{ page: '', itemsPerPage: 5 }, '/page', 'must be an integer'],
    [{ page: true, itemsPerPage: 5 }, '/page', 'must be an integer'],
  ])('says of %o what is wrong where', async (data, path, message) => {
    await expect(paged(3).as('Installer').send(data)).rejects.toMatchObject({ details: [{ path, message }] });
  });

  it('lets the embedder set the largest page', async () => {
    const bench = blockBench(paginationAddon({ itemsPerPage: 20 }), { parent: grid(3) });
    await expect(bench.as('Installer').send({ itemsPerPage: 21, page: 0 })).rejects.toThrow('must be 20 or less');
    await bench.as('Installer').send({ itemsPerPage: 20, page: 0 });
  });

  it('honours page and itemsPerPage of its own query, for that answer only', async () => {
    const bench = paged(23);
    expect(await bench.as('Installer').read({ page: '1', itemsPerPage: '4' })).toEqual({
      size: 23,
      itemsPerPage: 4,
      page: 1,
    });
    expect(await bench.as('Installer').read()).toEqual({ size: 23, itemsPerPage: 10, page: 0 });
  });

  it.each([{ page: 'x' }, { page: '-1' }, { itemsPerPage: '0' }, { itemsPerPage: '1e2' }])(
    'refuses the query %o',
    async (query) => {
      await expect(paged(3).as('Installer').read(query)).rejects.toMatchObject({ code: 'QUERY_INVALID' });
      await expect(gridAnswer(paged(3), query)).rejects.toMatchObject({ code: 'QUERY_INVALID' });
    },
  );

  it('says which parameter of a query cannot be used, and why', async () => {
    await expect(paged(3).as('Installer').read({ page: 'x', itemsPerPage: '1001' })).rejects.toMatchObject({
      message: 'The query cannot be used: page must be an integer; itemsPerPage must be 1000 or less.',
      details: [
        { path: 'page', message: 'must be an integer' },
        { path: 'itemsPerPage', message: 'must be 1000 or less' },
      ],
    });
  });

  it('keeps the page of its user where a query only says how many items a page has', async () => {
    const bench = paged(23);
    await bench.as('Installer').send({ itemsPerPage: 5, page: 2 });
    expect(await bench.as('Installer').read({ itemsPerPage: '3' })).toMatchObject({ page: 2, itemsPerPage: 3 });
    expect(await bench.as('Installer').read({ page: '4' })).toMatchObject({ page: 4, itemsPerPage: 5 });
  });

  it('does nothing and is not offered while defaultActive is false', async () => {
    const bench = blockBench(paginationAddon(), { parent: grid(23), options: { defaultActive: false } });
    const answer = await gridAnswer(bench);
    expect(answer.data).toHaveLength(23);
    expect(answer).not.toHaveProperty('totalCount');
    expect(answer['commonAddons']).toEqual([expect.objectContaining({ blockType: 'documentsSourceAddon' })]);
    await expect(bench.as('Installer').read()).rejects.toMatchObject({ code: 'BLOCK_NOT_ACTIVE' });
    await expect(bench.as('Installer').send({ itemsPerPage: 5, page: 0 })).rejects.toMatchObject({
      code: 'BLOCK_NOT_ACTIVE',
    });
  });

  it('is open only to the role in its permissions', async () => {
    const bench = blockBench(paginationAddon(), { parent: grid(23), options: { permissions: ['Installer'] } });
    await expect(bench.as('Verifier').read()).rejects.toMatchObject({ code: 'BLOCK_FORBIDDEN' });
    expect(await bench.as('Installer').read()).toMatchObject({ size: 23 });
  });

  it('is a finding under any other parent, and says so when it is read', async () => {
    const bench = blockBench(paginationAddon(), { parent: { blockType: 'interfaceStepBlock', tag: 'step' } });
    expect(await bench.findings()).toContainEqual(expect.objectContaining({ code: 'BLOCK_MISPLACED', tag: 'block' }));
    await expect(bench.as('Installer').read()).rejects.toMatchObject({ code: 'BLOCK_MISCONFIGURED' });
  });

  it('waits for the blocks named in its dependencies', async () => {
    const gate = { blockType: 'interfaceDocumentsSourceBlock', tag: 'gate' };
    const bench = blockBench(paginationAddon(), {
      parent: { ...grid(23), children: [...(grid(23).children ?? []), gate] },
      options: { dependencies: ['gate'] },
    });
    await expect(bench.as('Installer').read()).rejects.toMatchObject({ code: 'BLOCK_NOT_ACTIVE' });
    expect((await gridAnswer(bench)).data).toHaveLength(23);
    await bench.as('Installer').at('gate').send({ orderField: 'owner', orderDirection: 'asc' });
    expect(await bench.as('Installer').read()).toEqual({ size: 23, itemsPerPage: 10, page: 0 });
    await expect(bench.as('Verifier').read()).rejects.toMatchObject({ code: 'BLOCK_NOT_ACTIVE' });
  });
});

describe('the defects of the reference that paginationAddon does not have', () => {
  const filter = {
    blockType: 'filtersAddon',
    tag: 'by-status',
    type: 'dropdown',
    field: 'option.status',
    optionName: 'option.status',
    optionValue: 'option.status',
    canBeEmpty: true,
    children: [{ blockType: 'documentsSourceAddon', tag: 'statuses', dataType: 'vc-documents' }],
  };
  const twoStatuses = documents(40, (at) => ({ option: { status: at % 2 === 0 ? 'Approved' : 'Waiting' } }));
  const filtered = (): BlockBench =>
    blockBench(paginationAddon(), { parent: gridWith(twoStatuses, { children: [filter] }) });

  it('a first use by query leaves the grid paginated and the state whole', async () => {
    const bench = paged(23);
    expect(await gridAnswer(bench, { page: '1', itemsPerPage: '5' })).toMatchObject({ page: 1, pageSize: 5 });
    expect(await bench.as('Installer').read()).toEqual({ size: 23, itemsPerPage: 10, page: 0 });
    expect((await gridAnswer(bench)).data).toHaveLength(10);
  });

  it('a POST with missing fields is refused instead of showing everything', async () => {
    const bench = paged(23);
    await expect(bench.as('Installer').send({})).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    expect((await gridAnswer(bench)).data).toHaveLength(10);
  });

  it('numbers sent as text are numbers, with one source and with several', async () => {
    const second = { blockType: 'documentsSourceAddon', tag: 'second', dataType: 'vp-documents' };
    const presentations = documents(10, () => ({ dataType: 'vp-documents' }));
    const bench = blockBench(paginationAddon(), {
      parent: gridWith(documents(23), { children: [second] }),
      documents: presentations,
    });
    await bench.as('Installer').send({ itemsPerPage: '10', page: '2' });
    expect(await bench.as('Installer').read()).toEqual({ size: 33, itemsPerPage: 10, page: 2 });
    const { data } = await gridAnswer(bench);
    expect(data.map((row) => (row as unknown as Record<string, string>)['__sourceTag__'])).toEqual([
      ...Array<string>(3).fill('source'),
      ...Array<string>(7).fill('second'),
    ]);
  });

  it('a page past the end is empty and tells the truth about the total', async () => {
    const bench = paged(23);
    await bench.as('Installer').send({ itemsPerPage: 10, page: 9 });
    expect(await gridAnswer(bench)).toMatchObject({
      data: [],
      page: 9,
      totalCount: 23,
      hasPreviousPage: true,
      hasNextPage: false,
    });
  });

  it('changing a filter goes back to page 0; choosing the same value again does not', async () => {
    const bench = filtered();
    const installer = bench.as('Installer');
    await installer.send({ itemsPerPage: 5, page: 2 });
    await installer.at('by-status').send({ filterValue: 'Approved' });
    expect(await installer.read()).toEqual({ size: 20, itemsPerPage: 5, page: 0 });
    await installer.send({ itemsPerPage: 5, page: 3 });
    await installer.at('by-status').send({ filterValue: 'Approved' });
    expect(await installer.read()).toEqual({ size: 20, itemsPerPage: 5, page: 3 });
  });

  it('a filter of the query begins at its first page, and leaves the stored page alone', async () => {
    const bench = filtered();
    await bench.as('Installer').send({ itemsPerPage: 5, page: 6 });
    expect(await gridAnswer(bench, { 'by-status': 'Approved' })).toMatchObject({ page: 0, totalCount: 20 });
    expect(await bench.as('Installer').read()).toEqual({ size: 40, itemsPerPage: 5, page: 6 });
  });

  it('so does a filter that a query names by its id, one of a source, and the search for one document', async () => {
    const statuses = { blockType: 'documentsSourceAddon', tag: 'more-statuses', dataType: 'vc-documents' };
    const ofSource = { ...filter, tag: 'of-source', children: [statuses] };
    const { children: [source] = [], ...rest } = gridWith(twoStatuses, { children: [filter] });
    const children = [{ blockType: 'documentsSourceAddon', ...source, children: [ofSource] }, filter];
    const bench = blockBench(paginationAddon(), { parent: { ...rest, children } });
    await bench.as('Installer').send({ itemsPerPage: 5, page: 6 });
    const { blocks } = (await gridAnswer(bench)) as unknown as { blocks: { id: string }[] };
    expect(blocks).toHaveLength(2);
    for (const name of ['of-source', ...blocks.map(({ id }) => id)]) {
      expect(await bench.as('Installer').read({ [name]: 'Approved' })).toMatchObject({ page: 0, size: 20 });
    }
    const { data } = await gridAnswer(bench);
    const filterByUUID = data[0]?.document.id ?? '';
    expect(await bench.as('Installer').read({ filterByUUID })).toMatchObject({ page: 0, size: 1 });
    expect(await bench.as('Installer').read({ filterByUUID: '' })).toMatchObject({ page: 6, size: 40 });
    expect(await bench.as('Installer').read({ other: 'Approved' })).toMatchObject({ page: 6, size: 40 });
    expect(await bench.as('Installer').read({ 'by-status': 'Approved', page: '1' })).toMatchObject({ page: 1 });
  });

  it('changing a filter before a page was chosen leaves the size of the first page as it is', async () => {
    const bench = filtered();
    await bench.as('Installer').at('by-status').send({ filterValue: 'Approved' });
    expect(await bench.as('Installer').read()).toEqual({ size: 20, itemsPerPage: 10, page: 0 });
  });

  it('a document that two sources match is counted once and shown once', async () => {
    const again = {
      blockType: 'documentsSourceAddon',
      tag: 'again',
      dataType: 'vc-documents',
      onlyOwnDocuments: false,
    };
    const bench = blockBench(paginationAddon(), { parent: grid(23, { children: [again] }) });
    expect(await bench.as('Installer').read()).toMatchObject({ size: 23 });
    const pages = await Promise.all(
      [0, 1, 2, 3].map((page) => gridAnswer(bench, { page: String(page), itemsPerPage: '7' })),
    );
    const ids = pages.flatMap(({ data }) => data.map((row) => row.document.id));
    expect(new Set(ids).size).toBe(23);
    expect(ids).toHaveLength(23);
  });

  it('with sorting, the first child being a paging addon does not empty the grid', async () => {
    const pager = { blockType: 'paginationAddon', tag: 'pager' };
    const { children: [source] = [], ...rest } = grid(23, { uiMetaData: { enableSorting: true } });
    const bench = blockBench(paginationAddon(), { parent: { ...rest, children: [pager, source ?? pager] } });
    await bench.as('Installer').at('grid').send({ orderField: 'createDate', orderDirection: 'DESC' });
    const { data } = await gridAnswer(bench, { itemsPerPage: '3' });
    expect(data.map((row) => row.document.id.slice(-2))).toEqual(['16', '15', '14']);
  });

  it('parallel reads with different queries never see each other', async () => {
    const bench = paged(60);
    await bench.as('Installer').send({ itemsPerPage: 6, page: 1 });
    const pageQueries = Array.from({ length: 50 }, (_, at) => ({ page: at % 10, itemsPerPage: 1 + (at % 6) }));
    const answers = await Promise.all(
      pageQueries.map(({ page, itemsPerPage }) =>
        gridAnswer(bench, { page: String(page), itemsPerPage: String(itemsPerPage) }),
      ),
    );
    for (const [at, answer] of answers.entries()) {
      expect(answer).toMatchObject({
        page: pageQueries[at]?.page,
        pageSize: pageQueries[at]?.itemsPerPage,
        totalCount: 60,
      });
    }
    expect(await bench.as('Installer').read()).toEqual({ size: 60, itemsPerPage: 6, page: 1 });
  });

  it('a second paging addon of the same grid changes nothing', async () => {
    const second = { blockType: 'paginationAddon', tag: 'second-pager' };
    const bench = blockBench(paginationAddon(), { parent: grid(23, { children: [second] }) });
    await bench.as('Installer').at('second-pager').send({ itemsPerPage: 3, page: 1 });
    expect(await gridAnswer(bench)).toMatchObject({ page: 1, pageSize: 3 });
  });
});
