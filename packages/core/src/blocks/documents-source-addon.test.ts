import type { DocumentInput } from '../records/kinds.js';
import { documentsSourceAddon } from '@blockwork/core/block';
import { blockBench, documents, type BenchUser, type BlockBench } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';

const north = '10000000-0000-4000-8000-000000000001';
const south = '10000000-0000-4000-8000-000000000002';
const ann: BenchUser = { role: 'Installer', did: 'did:bench:ann', group: north };

/** Documents numbered from 0, with these facts. */
const withFacts = (...facts: Partial<DocumentInput>[]): DocumentInput[] =>
  documents(facts.length, (at) => facts[at] ?? {});
const withOptions = (...options: DocumentInput['option'][]): DocumentInput[] =>
  withFacts(...options.map((option) => ({ option })));

const sourceOf = (stored: readonly DocumentInput[], options: object = {}): BlockBench =>
  blockBench(documentsSourceAddon, {
    parent: { blockType: 'interfaceDocumentsSourceBlock', tag: 'grid' },
    options: { dataType: 'vc-documents', ...options },
    documents: stored,
  });

/** The numbers of the documents that the grid shows from this source. */
async function shown(bench: BlockBench, user: string | BenchUser = ann, query = {}): Promise<number[]> {
  const { data } = (await bench.as(user).at('grid').read(query)) as { data: { document: { id: string } }[] };
  return data.map((row) => parseInt(row.document.id.slice(-12), 16));
}

async function rows(bench: BlockBench): Promise<{ document: object; option: object }[]> {
  return ((await bench.as(ann).at('grid').read({})) as { data: { document: object; option: object }[] }).data;
}

describe('documentsSourceAddon', () => {
  it('shows all documents of its collection, in the order in which they were added', async () => {
    const bench = sourceOf(documents(3, (at) => ({ createDate: `2026-01-0${String(3 - at)}T00:00:00.000Z` })));
    expect(await shown(bench)).toEqual([0, 1, 2]);
  });

  it('cannot be read by itself', async () => {
    await expect(sourceOf([]).as(ann).read()).rejects.toMatchObject({ code: 'BLOCK_NOT_READABLE', status: 405 });
  });

  it('keeps a policy from running where a misspelt option would open what belongs to others', async () => {
    const bench = sourceOf(documents(1), { onlyOwnDocument: true });
    const { engine, policyId, owner } = await bench.open();
    const { isValid, findings } = await engine.lifecycle.dryRun(owner, policyId);
    expect(isValid).toBe(false);
    expect(findings).toMatchObject([
      { severity: 'error', code: 'OPTION_MISSPELT', path: '/children/0/children/0/onlyOwnDocument' },
    ]);
    expect(findings[0]?.message).toContain('(did you mean "onlyOwnDocuments"?)');
  });

  describe('dataType', () => {
    const collections = ['vc-documents', 'vp-documents', 'did-documents', 'approve'] as const;
    const oneOfEach = withFacts(...collections.map((dataType) => ({ dataType })));

    it.each(collections.map((dataType, at) => [dataType, at] as const))(
      '%s shows that collection only',
      async (dataType, at) => {
        const bench = sourceOf(oneOfEach, { dataType });
        expect(await shown(bench)).toEqual([at]);
        expect(await bench.findings()).toEqual([]);
      },
    );

    it.each(['standard-registries', 'root-authorities', 'source'])(
      '%s, which this engine does not keep, is a warning and an empty source',
      async (dataType) => {
        const bench = sourceOf(oneOfEach, { dataType });
        expect(await shown(bench)).toEqual([]);
        expect(await bench.findings()).toMatchObject([
          { severity: 'warning', code: 'OPTIONS_INVALID', tag: 'block', path: '/children/0/children/0/dataType' },
        ]);
      },
    );

    it.each([
      ['of a name that nobody knows', 'vc-document'],
      ['that is missing', null],
    ])('%s is an error and an empty source, while the others of the grid go on', async (_, dataType) => {
      const bench = blockBench(documentsSourceAddon, {
        parent: {
          blockType: 'interfaceDocumentsSourceBlock',
          tag: 'grid',
          children: [{ blockType: 'documentsSourceAddon', tag: 'other', dataType: 'approve' }],
        },
        options: { dataType },
        documents: oneOfEach,
      });
      expect(await shown(bench)).toEqual([3]);
      expect(await bench.findings()).toMatchObject([{ severity: 'error', code: 'OPTIONS_INVALID', tag: 'block' }]);
    });

    it.each(collections)('%s never shows documents of another policy', async (dataType) => {
      const bench = sourceOf(oneOfEach, { dataType });
      const { engine, policyId, owner } = await bench.open();
      const { id: _, ...copied } = await engine.getPolicy(owner, policyId);
      const other = await engine.importPolicy(owner, copied);
      expect(await engine.readBlock(owner, other.policy.id, { tag: 'grid' })).toMatchObject({ data: [] });
      await engine.program.documents.add(
        other.policy.id,
        documents(2, () => ({ dataType })),
      );
      expect(await shown(bench)).toHaveLength(1);
      expect(await engine.readBlock(owner, other.policy.id, { tag: 'grid' })).toMatchObject({ data: [{}, {}] });
    });
  });

  describe('conditions', () => {
    const owned = withFacts(
      { owner: 'did:bench:ann', group: north },
      { owner: 'did:bench:ann', group: south },
      { owner: 'did:bench:bob', group: north },
      { owner: 'did:bench:ann', group: null },
      { owner: 'did:bench:ann' },
    );
    const assigned = withFacts(
      { assignedTo: 'did:bench:ann', assignedToGroup: north },
      { assignedTo: 'did:bench:bob', assignedToGroup: north },
      { assignedTo: 'did:bench:ann', assignedToGroup: south },
      { assignedTo: null, assignedToGroup: null },
      {},
    );

    it.each([
      ['onlyOwnDocuments', owned, [0, 1, 3, 4]],
      ['onlyOwnByGroupDocuments', owned, [0, 2]],
      ['onlyAssignDocuments', assigned, [0, 2]],
      ['onlyAssignByGroupDocuments', assigned, [0, 1]],
    ])('%s shows what belongs to the user, or to their group', async (condition, stored, expected) => {
      expect(await shown(sourceOf(stored, { [condition]: true }))).toEqual(expected);
      expect(await shown(sourceOf(stored, { [condition]: 'true' }))).toEqual(expected);
      expect(await shown(sourceOf(stored, { [condition]: false }))).toEqual([0, 1, 2, 3, 4]);
    });

    it.each([
      ['onlyOwnByGroupDocuments', owned],
      ['onlyAssignByGroupDocuments', assigned],
    ])('%s shows nothing to a user without a group, not what belongs to no group', async (condition, stored) => {
      expect(await shown(sourceOf(stored, { [condition]: true }), 'NO_ROLE')).toEqual([]);
    });

    it('onlyOwnDocuments holds for the owner of the policy as for anybody', async () => {
      const stored = withFacts({ owner: 'did:bench:owner' }, { owner: 'did:bench:ann' });
      expect(await shown(sourceOf(stored, { onlyOwnDocuments: true }), 'OWNER')).toEqual([0]);
    });

    it('several of them must all be met', async () => {
      expect(await shown(sourceOf(owned, { onlyOwnDocuments: true, onlyOwnByGroupDocuments: true }))).toEqual([0]);
    });

    it('hidePreviousVersions leaves out what a newer version has replaced', async () => {
      const versions = withFacts({ edited: true }, { edited: false }, {}, { edited: null });
      expect(await shown(sourceOf(versions, { hidePreviousVersions: true }))).toEqual([1, 2, 3]);
      expect(await shown(sourceOf(versions))).toEqual([0, 1, 2, 3]);
    });

    it('schema shows the documents of that schema, to the letter', async () => {
      const schema = '#e0e11d34-5f80-4f94-a36a-5ff9f6d2a1c5';
      const stored = withFacts({ schema }, { schema: `${schema}&1.0.0` }, {});
      expect(await shown(sourceOf(stored, { schema }))).toEqual([0]);
      expect(await shown(sourceOf(stored, { schema: '' }))).toEqual([0, 1, 2]);
    });
  });

  describe('filters', () => {
    const values = withOptions(
      { v: 'A' },
      { v: 'B' },
      { v: 5 },
      { v: '5' },
      { v: 10 },
      { v: null },
      {},
      { v: ['A', 'C'] },
      { v: true },
    );
    const all = [0, 1, 2, 3, 4, 5, 6, 7, 8];
    const without = (...omitted: number[]): number[] => all.filter((at) => !omitted.includes(at));

    it.each([
      ['equal', 'A', [0, 7]],
      ['equal', 5, [2]],
      ['equal', '5', [3]],
      ['equal', true, [8]],
      ['equal', null, [5, 6]],
      ['not_equal', 'A', without(0, 7)],
      ['not_equal', null, without(5, 6)],
      ['in', 'A,B', [0, 1, 7]],
      ['in', ' A , B ', [0, 1, 7]],
      ['in', ['A', 'B'], [0, 1, 7]],
      ['in', 'A', [0, 7]],
      ['in', 5, [2]],
      ['in', null, [5, 6]],
      ['in', [], []],
      ['not_in', 'A,B', without(0, 1, 7)],
      ['not_in', 5, without(2)],
      ['not_in', [], all],
      ['gt', 5, [4]],
      ['gte', 5, [2, 4]],
      ['lt', 10, [2]],
      ['lte', 10, [2, 4]],
      ['gt', '5', [4]],
      ['gte', 'B', [1]],
      ['lt', 'B', [0, 3]],
    ])('%s %j', async (type, value, expected) => {
      expect(await shown(sourceOf(values, { filters: [{ type, field: 'option.v', value }] }))).toEqual(expected);
    });

    it('a filter without a value asks for the empty text', async () => {
      const stored = withOptions({ v: '' }, { v: 'A' }, {});
      expect(await shown(sourceOf(stored, { filters: [{ type: 'equal', field: 'option.v' }] }))).toEqual([0]);
    });

    it('user_defined takes its value from the query, as text or number, and demands nothing without one', async () => {
      const bench = sourceOf(values, { filters: [{ type: 'user_defined', field: 'option.v', value: 'B' }] });
      expect(await shown(bench, ann, { 'option.v': 'A' })).toEqual([0, 7]);
      expect(await shown(bench, ann, { 'option.v': '5' })).toEqual([2, 3]);
      expect(await shown(bench)).toEqual(all);
    });

    it('several on one field all hold', async () => {
      const between = [
        { type: 'gte', field: 'option.n', value: 2 },
        { type: 'lte', field: 'option.n', value: '4' },
        { type: 'not_equal', field: 'option.n', value: 3 },
      ];
      const numbers = withOptions(...[0, 1, 2, 3, 4, 5].map((n) => ({ n })));
      expect(await shown(sourceOf(numbers, { filters: between }))).toEqual([2, 4]);
      const contradiction = [1, 2].map((value) => ({ type: 'equal', field: 'option.n', value }));
      expect(await shown(sourceOf(numbers, { filters: contradiction }))).toEqual([]);
    });

    it('reach into the document, by position and to the last element of a list', async () => {
      const stored = documents(3, (at) => ({
        document: { id: `urn:uuid:${String(at).padStart(12, '0')}`, list: [{ n: 0 }, { n: at }] },
      }));
      const at = (field: string) => sourceOf(stored, { filters: [{ type: 'equal', field, value: 2 }] });
      expect(await shown(at('document.list.L.n'))).toEqual([2]);
      expect(await shown(at('document.list.1.n'))).toEqual([2]);
      expect(await shown(at('document.list.0.n'))).toEqual([]);
      expect(await shown(at('document.list.2.n'))).toEqual([]);
    });

    it.each(['equal', 'in'])('that are %s reach into a list only by position', async (type) => {
      const subject = (field0: string) => ({ credentialSubject: [{ field0 }] });
      const stored = withFacts({ document: subject('here') }, { document: subject('there') });
      const at = (field: string) => sourceOf(stored, { filters: [{ type, field, value: 'here' }] });
      expect(await shown(at('document.credentialSubject.field0'))).toEqual([]);
      expect((await rows(at('document.credentialSubject.0.field0'))).map(({ document }) => document)).toMatchObject([
        subject('here'),
      ]);
    });

    it('see that a document has no status, although its row says NEW', async () => {
      const stored = withOptions({}, { status: 'NEW' }, { status: 'Approved' });
      const of = (type: string, value?: string) =>
        sourceOf(stored, { filters: [{ type, field: 'option.status', value }] });
      expect(await shown(of('equal', 'NEW'))).toEqual([1]);
      expect(await shown(of('in', 'NEW,Approved'))).toEqual([1, 2]);
      expect(await shown(of('not_equal', 'NEW'))).toEqual([0, 2]);
      expect((await rows(of('not_equal', 'Approved'))).map(({ option }) => option)).toEqual([
        { status: 'NEW' },
        { status: 'NEW' },
      ]);
    });

    it.each([undefined, null, []])('that are %j demand nothing', async (filters) => {
      expect(await shown(sourceOf(documents(2), { filters }))).toEqual([0, 1]);
    });

    it.each([
      ['that are no list', { type: 'equal', field: 'type', value: 'x' }],
      ['of an unknown type', [{ type: 'like', field: 'type', value: 'x' }]],
      ['without a field', [{ type: 'equal', value: 'x' }]],
    ])('%s are a finding, and the grid says so instead of showing everything', async (_, filters) => {
      const bench = sourceOf(documents(2), { filters });
      expect(await bench.findings()).toContainEqual(
        expect.objectContaining({ severity: 'error', code: 'OPTIONS_INVALID', tag: 'block' }),
      );
      await expect(shown(bench)).rejects.toMatchObject({ code: 'BLOCK_MISCONFIGURED' });
    });
  });

  describe('order', () => {
    const dated = documents(4, (at) => ({
      createDate: `2026-01-0${String([2, 4, 1, 3][at])}T00:00:00.000Z`,
      option: { n: [3, 2, 3, 1][at]! },
    }));

    it.each([
      [{ orderField: 'option.n', orderDirection: 'ASC' }, [3, 1, 0, 2]],
      [{ orderField: 'option.n', orderDirection: 'desc' }, [2, 0, 1, 3]],
      [{ orderField: 'option.n' }, [3, 1, 0, 2]],
      [{ orderDirection: 'DESC' }, [1, 3, 0, 2]],
      [{ orderDirection: 'asc' }, [2, 0, 3, 1]],
      [{ orderField: '', orderDirection: '' }, [0, 1, 2, 3]],
      [{ orderField: null, orderDirection: null }, [0, 1, 2, 3]],
      [{ orderField: 'no.such.field', orderDirection: 'ASC' }, [0, 1, 2, 3]],
      [{ orderField: 'no.such.field', orderDirection: 'DESC' }, [3, 2, 1, 0]],
    ])('%j', async (order, expected) => {
      expect(await shown(sourceOf(dated, order))).toEqual(expected);
    });

    it('that a user sends comes before that of the policy, for that user and group only', async () => {
      const bench = sourceOf(dated, { orderField: 'option.n', orderDirection: 'ASC' });
      expect(await bench.as(ann).send({ orderDirection: 'DESC' })).toEqual({});
      expect(await shown(bench)).toEqual([1, 3, 0, 2]);
      await bench.as(ann).send({ orderField: 'createDate', orderDirection: 'ASC' });
      expect(await shown(bench)).toEqual([2, 0, 3, 1]);
      expect(await shown(bench, { ...ann, group: south })).toEqual([3, 1, 0, 2]);
      expect(await shown(bench, { ...ann, did: 'did:bench:bob' })).toEqual([3, 1, 0, 2]);
    });

    it('that a user takes back gives way to that of the policy', async () => {
      const bench = sourceOf(dated, { orderField: 'option.n', orderDirection: 'ASC' });
      await bench.as(ann).send({ orderField: 'createDate', orderDirection: 'ASC' });
      await bench.as(ann).send({ orderField: '', orderDirection: '' });
      expect(await shown(bench)).toEqual([3, 1, 0, 2]);
    });

    it.each([{ orderDirection: 'up' }, { orderField: 1 }, 'createDate'])(
      'is refused when the user sends %j',
      async (order) => {
        const bench = sourceOf(dated);
        await expect(bench.as(ann).send(order)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
        expect(await shown(bench)).toEqual([0, 1, 2, 3]);
      },
    );

    it('of a direction that is none is a finding', async () => {
      expect(await sourceOf([], { orderDirection: 'up' }).findings()).toMatchObject([
        { code: 'OPTIONS_INVALID', tag: 'block' },
      ]);
    });
  });
});
