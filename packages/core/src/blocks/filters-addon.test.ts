import type { DocumentInput } from '../records/kinds.js';
import { filtersAddon } from '@blockwork/core/block';
import {
  blockBench,
  documents,
  type BenchSetup,
  type BenchUser,
  type BlockBench,
  type BlockFragment,
} from '@blockwork/testing';
import { describe, expect, it } from 'vitest';

type User = string | BenchUser;

/** Reports, numbered from 0, with these values; and settings that offer values to choose from. */
const reports = (...values: unknown[]): DocumentInput[] =>
  documents(values.length, (at) => ({ type: 'report', option: { value: values[at] } as DocumentInput['option'] }));
const settings = (...offered: { value?: unknown; name?: unknown }[]): DocumentInput[] =>
  offered.map((option) => ({
    owner: 'did:bench:owner',
    type: 'setting',
    option: option as DocumentInput['option'],
    document: {},
  }));

const sourceOf = (tag: string, type: string, more: Partial<BlockFragment> = {}): BlockFragment => ({
  blockType: 'documentsSourceAddon',
  tag,
  dataType: 'vc-documents',
  filters: [{ type: 'equal', field: 'type', value: type }],
  ...more,
});

const dropdown = { type: 'dropdown', field: 'option.value', optionName: 'option.name', optionValue: 'option.value' };

const filterOf = (stored: readonly DocumentInput[], options: object = {}, setup: BenchSetup = {}): BlockBench =>
  blockBench(filtersAddon, {
    parent: { blockType: 'interfaceDocumentsSourceBlock', tag: 'grid', children: [sourceOf('reports', 'report')] },
    children: [sourceOf('settings', 'setting')],
    documents: stored,
    ...setup,
    options: { ...dropdown, ...options },
  });

async function shown(bench: BlockBench, user: User = 'Installer', query = {}): Promise<number[]> {
  const { data } = (await bench.as(user).at('grid').read(query)) as { data: { document: { id: string } }[] };
  return data.map((row) => parseInt(row.document.id.slice(-12), 16));
}
const answerOf = async (bench: BlockBench, user: User = 'Installer') =>
  (await bench.as(user).read()) as Record<string, unknown>;

const reportDocuments = [
  ...reports('A', 'B', 'A', 'C'),
  ...settings({ value: 'B', name: 'Bee' }, { value: 'A', name: 'Ay' }),
];

describe('filtersAddon', () => {
  it('answers with the keys of the reference', async () => {
    const bench = filterOf(reportDocuments, { canBeEmpty: true, uiMetaData: { content: 'Status' } });
    expect(await answerOf(bench)).toEqual({
      id: expect.any(String),
      blockType: 'filtersAddon',
      actionType: 'local',
      readonly: false,
      type: 'dropdown',
      uiMetaData: { content: 'Status' },
      canBeEmpty: true,
      data: [
        { name: 'Bee', value: 'B' },
        { name: 'Ay', value: 'A' },
      ],
      optionName: 'option.name',
      optionValue: 'option.value',
      filterValue: null,
    });
  });

  it('offers each value once, under the first name it comes with; a value without a name is its own', async () => {
    const offered = [
      { value: 'A', name: 'One' },
      { value: 'A', name: 'Two' },
      { value: 5 },
      { value: '5' },
      { name: 'none' },
      { value: null },
    ];
    expect((await answerOf(filterOf(settings(...offered))))['data']).toEqual([
      { name: 'One', value: 'A' },
      { name: 5, value: 5 },
    ]);
  });

  it('offers nothing that is no single value', async () => {
    expect(
      (await answerOf(filterOf(settings({ value: ['A'] }, { value: { a: 1 } }, { value: true }))))['data'],
    ).toEqual([{ name: true, value: true }]);
  });

  it('narrows the grid to the value that the user chooses, and shows the choice', async () => {
    const bench = filterOf(reportDocuments, { canBeEmpty: true });
    expect(await shown(bench)).toEqual([0, 1, 2, 3]);
    expect(await bench.as('Installer').send({ filterValue: 'A' })).toEqual({});
    expect(await shown(bench)).toEqual([0, 2]);
    expect(await answerOf(bench)).toMatchObject({ filterValue: 'A' });
  });

  describe('when it can be empty', () => {
    it.each([{ filterValue: null }, { filterValue: '' }, {}])('%j takes the choice back', async (input) => {
      const bench = filterOf(reportDocuments, { canBeEmpty: true });
      await bench.as('Installer').send({ filterValue: 'A' });
      await bench.as('Installer').send(input);
      expect(await shown(bench)).toEqual([0, 1, 2, 3]);
      expect(await answerOf(bench)).toMatchObject({ filterValue: null });
    });

    it('refuses a value that is no option, and keeps the choice', async () => {
      const bench = filterOf(reportDocuments, { canBeEmpty: true });
      await bench.as('Installer').send({ filterValue: 'A' });
      await expect(bench.as('Installer').send({ filterValue: 'Z' })).rejects.toMatchObject({
        code: 'CHOICE_UNKNOWN',
        status: 422,
        details: [{ path: '/filterValue', message: 'filter value is unknown' }],
      });
      expect(await shown(bench)).toEqual([0, 2]);
    });

    it('shows everything while there is nothing to choose', async () => {
      expect(await shown(filterOf(reports('A', 'B'), { canBeEmpty: true }))).toEqual([0, 1]);
    });
  });

  describe('when it cannot be empty', () => {
    it('takes the first option until the user chooses', async () => {
      const bench = filterOf(reportDocuments);
      expect(await shown(bench)).toEqual([1]);
      expect(await answerOf(bench)).toMatchObject({ filterValue: 'B' });
      await bench.as('Installer').send({ filterValue: 'A' });
      expect(await shown(bench)).toEqual([0, 2]);
    });

    it('takes the first document that has a value, not the first document', async () => {
      expect(
        await shown(filterOf([...reports('A', 'B'), ...settings({ name: 'x' }, { value: null }, { value: 'B' })])),
      ).toEqual([1]);
    });

    it('shows nothing while there is nothing to choose, not even documents without a value', async () => {
      const bench = filterOf(reports('A', '', null));
      expect(await shown(bench)).toEqual([]);
      expect(await answerOf(bench)).toMatchObject({ data: [], filterValue: null });
    });

    it.each([{ filterValue: 'Z' }, { filterValue: null }, { filterValue: '' }, {}])(
      'refuses %j and keeps the choice',
      async (input) => {
        const bench = filterOf(reportDocuments);
        await bench.as('Installer').send({ filterValue: 'A' });
        await expect(bench.as('Installer').send(input)).rejects.toMatchObject({
          code: 'CHOICE_UNKNOWN',
          status: 422,
          details: [{ path: '/filterValue', message: 'filter value is unknown' }],
        });
        expect(await shown(bench)).toEqual([0, 2]);
      },
    );

    it('lets the empty text be chosen where it is an option', async () => {
      const bench = filterOf([...reports('A', ''), ...settings({ value: 'A' }, { value: '' })]);
      await bench.as('Installer').send({ filterValue: '' });
      expect(await shown(bench)).toEqual([1]);
    });
  });

  it.each([[['A']], [{ a: 1 }]])('refuses the choice %j, which is no single value', async (filterValue) => {
    await expect(
      filterOf(reportDocuments, { canBeEmpty: true }).as('Installer').send({ filterValue }),
    ).rejects.toMatchObject({
      code: 'INPUT_INVALID',
    });
  });

  describe('with numbers', () => {
    const numbers = [...reports(5, '5', 6, '5.0', null), ...settings({ value: 5 }, { value: '6' })];

    it.each([5, '5'])('takes %j for the number and for the text', async (filterValue) => {
      const bench = filterOf(numbers);
      await bench.as('Installer').send({ filterValue });
      expect(await shown(bench)).toEqual([0, 1]);
    });

    it('knows an option that is stored as text by its number', async () => {
      const bench = filterOf(numbers);
      await bench.as('Installer').send({ filterValue: 6 });
      expect(await shown(bench)).toEqual([2]);
    });

    it('demands the values of two filters at once, not either of them', async () => {
      const pair = (a: number, b: number) => ({ option: { value: a, other: b } });
      const second = {
        ...dropdown,
        blockType: 'filtersAddon',
        tag: 'second',
        field: 'option.other',
        optionValue: 'option.other',
        canBeEmpty: true,
        children: [sourceOf('second-settings', 'report')],
      };
      const bench = blockBench(filtersAddon, {
        options: { ...dropdown, canBeEmpty: true },
        parent: {
          blockType: 'interfaceDocumentsSourceBlock',
          tag: 'grid',
          children: [sourceOf('reports', 'report'), second],
        },
        children: [sourceOf('settings', 'report')],
        documents: documents(4, (at) => [pair(1, 1), pair(1, 2), pair(2, 1), pair(2, 2)][at]!),
      });
      await bench.as('Installer').send({ filterValue: 1 });
      await bench.as('Installer').at('second').send({ filterValue: '2' });
      expect(await shown(bench)).toEqual([1]);
      expect(await shown(bench, 'Installer', { block: '2', second: '1' })).toEqual([2]);
    });
  });

  it('keeps the choices of two users, and of two groups of one user, apart', async () => {
    const bench = filterOf(reportDocuments, { canBeEmpty: true });
    const north = { role: 'Installer', group: '10000000-0000-4000-8000-000000000001' };
    const south = { role: 'Installer', group: '10000000-0000-4000-8000-000000000002' };
    const colleague = { ...north, did: 'did:bench:colleague' };
    await bench.as(north).send({ filterValue: 'A' });
    await bench.as(south).send({ filterValue: 'B' });
    expect(await shown(bench, north)).toEqual([0, 2]);
    expect(await shown(bench, south)).toEqual([1]);
    expect(await shown(bench, colleague)).toEqual([0, 1, 2, 3]);
  });

  describe('in the query of the grid', () => {
    it('counts by tag or by uuid for one answer, and leaves the choice alone', async () => {
      const bench = filterOf(reportDocuments);
      await bench.as('Installer').send({ filterValue: 'A' });
      expect(await shown(bench, 'Installer', { block: 'C' })).toEqual([3]);
      expect(await shown(bench, 'Installer', { [String((await answerOf(bench))['id'])]: 'B' })).toEqual([1]);
      expect(await shown(bench)).toEqual([0, 2]);
      expect(await answerOf(bench)).toMatchObject({ filterValue: 'A' });
    });

    it('may be any value, also one that is not offered', async () => {
      expect(await shown(filterOf(reportDocuments), 'Installer', { block: 'Z' })).toEqual([]);
      expect(await shown(filterOf([...reports(5, '5', 6)]), 'Installer', { block: '5' })).toEqual([0, 1]);
    });

    it('with an empty value takes the choice back for that answer', async () => {
      const empty = filterOf(reportDocuments, { canBeEmpty: true });
      await empty.as('Installer').send({ filterValue: 'A' });
      expect(await shown(empty, 'Installer', { block: '' })).toEqual([0, 1, 2, 3]);
      const full = filterOf(reportDocuments);
      await full.as('Installer').send({ filterValue: 'A' });
      expect(await shown(full, 'Installer', { block: '' })).toEqual([1]);
    });

    it('is not found in what every object has', async () => {
      const bench = filterOf(reportDocuments, { tag: 'toString', canBeEmpty: true });
      expect(await shown(bench)).toEqual([0, 1, 2, 3]);
    });
  });

  describe('under a source', () => {
    const twoSources = (): BlockBench =>
      filterOf(
        reportDocuments,
        {},
        {
          parent: {
            blockType: 'interfaceContainerBlock',
            tag: 'around',
            children: [
              {
                blockType: 'interfaceDocumentsSourceBlock',
                tag: 'grid',
                children: [
                  sourceOf('narrowed', 'report', {
                    filters: [
                      { type: 'not_equal', field: 'option.value', value: 'C' },
                      { type: 'equal', field: 'type', value: 'report' },
                    ],
                    children: [
                      {
                        ...dropdown,
                        blockType: 'filtersAddon',
                        tag: 'below',
                        canBeEmpty: true,
                        children: [sourceOf('offered', 'setting')],
                      },
                    ],
                  }),
                  sourceOf('whole', 'report', { filters: [{ type: 'equal', field: 'option.value', value: 'C' }] }),
                  { blockType: 'paginationAddon', tag: 'pages' },
                ],
              },
            ],
          },
        },
      );

    it('narrows that source only, and is offered by the grid', async () => {
      const bench = twoSources();
      await bench.as('Installer').at('below').send({ filterValue: 'A' });
      expect(await shown(bench)).toEqual([0, 2, 3]);
      expect(await shown(bench, 'Installer', { below: 'B' })).toEqual([1, 3]);
      const { blocks } = (await bench.as('Installer').at('grid').read()) as { blocks: object[] };
      expect(blocks).toMatchObject([{ blockType: 'filtersAddon' }]);
    });

    it('takes the user back to the first page of the grid when it changes', async () => {
      const bench = twoSources();
      const pages = bench.as('Installer').at('pages');
      await pages.send({ page: 1, itemsPerPage: 2 });
      await bench.as('Installer').at('below').send({ filterValue: 'A' });
      expect(await pages.read()).toEqual({ size: 3, itemsPerPage: 2, page: 0 });
    });

    it('while a filter under the grid narrows all of its sources', async () => {
      const bees = sourceOf('bees', 'report', { filters: [{ type: 'equal', field: 'option.value', value: 'B' }] });
      const children = [bees, sourceOf('reports', 'report')];
      const parent = { blockType: 'interfaceDocumentsSourceBlock', tag: 'grid', children };
      const bench = filterOf(
        reports('A', 'B', 'A', 'C'),
        { canBeEmpty: true },
        { parent, children: [sourceOf('same', 'report')] },
      );
      expect(await shown(bench)).toEqual([1, 0, 2, 3]);
      await bench.as('Installer').send({ filterValue: 'A' });
      expect(await shown(bench)).toEqual([0, 2]);
    });
  });

  it('does nothing and is not offered while defaultActive is false', async () => {
    const bench = filterOf(reportDocuments, { defaultActive: false });
    expect(await shown(bench)).toEqual([0, 1, 2, 3]);
    expect(await shown(bench, 'Installer', { block: 'A' })).toEqual([0, 1, 2, 3]);
    expect(await bench.as('Installer').at('grid').read()).toMatchObject({ blocks: [] });
    await expect(bench.as('Installer').read()).rejects.toMatchObject({ code: 'BLOCK_NOT_ACTIVE' });
    await expect(bench.as('Installer').send({ filterValue: 'A' })).rejects.toMatchObject({ code: 'BLOCK_NOT_ACTIVE' });
  });

  it('does nothing for a user who lacks its permission', async () => {
    const bench = filterOf(reportDocuments, { permissions: ['Verifier'] });
    expect(await shown(bench, 'Installer', { block: 'A' })).toEqual([0, 1, 2, 3]);
    expect(await shown(bench, 'Verifier')).toEqual([1]);
  });

  it('offers the values of all its sources, whoever may address them', async () => {
    const children = [sourceOf('settings', 'setting'), sourceOf('secret', 'report', { permissions: ['Verifier'] })];
    const bench = filterOf(reportDocuments, { canBeEmpty: true }, { children });
    expect((await answerOf(bench))['data']).toHaveLength(3);
    await bench.as('Installer').send({ filterValue: 'C' });
    expect(await answerOf(bench)).toMatchObject({ filterValue: 'C' });
  });

  it('is a finding where there is no grid to narrow', async () => {
    expect(await blockBench(filtersAddon).findings()).toContainEqual(
      expect.objectContaining({ severity: 'error', code: 'BLOCK_MISPLACED', tag: 'block' }),
    );
  });
});
