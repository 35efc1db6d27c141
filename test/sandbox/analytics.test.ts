/** Comparisons and searches: what two policies have in common, and what is like one. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { block, openRegistryWorld, type RegistryWorld } from './support/registry-world.js';

let world: RegistryWorld;
beforeEach(async () => {
  world = await openRegistryWorld();
});
afterEach(() => world.close());

interface Row {
  type: string;
  lvl: number;
  left_name: string | null;
  right_name: string | null;
  total_rate: number;
  properties: { path: string; rate: number }[];
}
interface Comparison {
  total: number;
  blocks: { report: Row[] };
  fields: { report: Row[] };
}

const news = (title: string) => block('informationBlock', 'news', { uiMetaData: { title, description: 'All' } });
const begin = async (name: string, children: object[], more: object = {}): Promise<string> => {
  const config = { ...block('interfaceContainerBlock', 'page'), children };
  return String(
    await world.result(world.call('POST', 'policies/push', { name, config, policyRoles: ['Member'], ...more })),
  );
};
const compare = async (what: string, json: object): Promise<Comparison> => {
  const { status, body, text } = await world.call('POST', `analytics/compare/${what}`, json);
  expect(status, text).toBe(200);
  return body as Comparison;
};

it('two policies are compared block by block: the same, alike, and on one side only', async () => {
  const left = await begin('Left', [
    news('Hello'),
    block('informationBlock', 'same'),
    block('policyRolesBlock', 'roles'),
  ]);
  const right = await begin('Right', [
    news('Goodbye'),
    block('informationBlock', 'same'),
    block('buttonBlock', 'press'),
  ]);
  const body = await compare('policies', {
    policyId1: left,
    policyId2: right,
    eventsLvl: '1',
    propLvl: '2',
    childrenLvl: '2',
    idLvl: '0',
  });
  expect(body).toMatchObject({ left: { id: left, name: 'Left' }, right: { id: right, name: 'Right' } });
  const rows = body.blocks.report;
  expect(rows.map(({ type, left_name, right_name }) => [type, left_name, right_name])).toEqual([
    ['FULL', 'interfaceContainerBlock page', 'interfaceContainerBlock page'],
    ['PARTLY', 'informationBlock news', 'informationBlock news'],
    ['FULL', 'informationBlock same', 'informationBlock same'],
    ['LEFT', 'policyRolesBlock roles', null],
    ['RIGHT', null, 'buttonBlock press'],
  ]);
  expect(rows[1]?.properties.filter(({ rate }) => rate !== 100)).toMatchObject([{ path: 'uiMetaData.title', rate: 0 }]);
  expect(body.total).toBeGreaterThan(0);
  expect(body.total).toBeLessThan(100);
  expect((await compare('policies', { policyId1: left, policyId2: left })).total).toBe(100);
  const several = await compare('policies', { policyIds: [left, right, left] });
  expect(several).toMatchObject({ size: 3, totals: [body.total, 100] });
  const exported = await world.call('POST', 'analytics/compare/policies/export', { policyId1: left, policyId2: right });
  expect(exported.status).toBe(200);
  expect(exported.body).toMatch(/^data:text\/csv;charset=utf-8,/);
  expect(exported.body).toContain('"policyRolesBlock roles"');
  expect((await world.call('POST', 'analytics/compare/policies', { policyId1: left })).status).toBe(422);
  expect(
    (await world.as('other', 'POST', 'analytics/compare/policies', { json: { policyId1: left, policyId2: right } }))
      .status,
  ).toBe(404);
});

it('what a name begins with is no formula in the export', async () => {
  const left = await begin('=HYPERLINK("x")', []);
  const exported = await world.call('POST', 'analytics/compare/policies/export', { policyId1: left, policyId2: left });
  expect(exported.body).toContain(`"'=HYPERLINK(""x"")"`);
});

it('schemas are compared field by field, modules and tools block by block', async () => {
  const schema = async (name: string, fields: object): Promise<string> => {
    const made = await world.call('POST', 'schemas/0.0.5', {
      name,
      document: { type: 'object', properties: fields, required: [] },
    });
    return (made.body as { id: string }[]).at(-1)!.id;
  };
  const text = { type: 'string', title: 'x' };
  const ids = {
    schemaId1: await schema('A', { a: text, b: text }),
    schemaId2: await schema('B', { a: text, b: { type: 'number' }, c: text }),
  };
  const report = (await compare('schemas', { ...ids, idLvl: '0' })).fields.report;
  expect(report.map(({ type, left_name: left, right_name: right }) => [type, left, right])).toEqual([
    ['FULL', 'a', 'a'],
    ['PARTLY', 'b', 'b'],
    ['RIGHT', null, 'c'],
  ]);
  for (const [what, kind] of [
    ['modules', 'module'],
    ['tools', 'tool'],
  ] as const) {
    const make = async (title: string): Promise<string> =>
      String(
        (await world.call('POST', what, { name: title, config: { blockType: kind, children: [news(title)] } })).body.id,
      );
    const [one, two] = [await make('One'), await make('Two')];
    const compared = await compare(what, { [`${kind}Id1`]: one, [`${kind}Id2`]: two });
    expect(compared.blocks.report.map(({ type }) => type)).toEqual(['FULL', 'PARTLY']);
    const foreign = { json: { [`${kind}Id1`]: one, [`${kind}Id2`]: two } };
    expect((await world.as('other', 'POST', `analytics/compare/${what}`, foreign)).status).toBe(404);
  }
});

it('documents are compared by what they claim, for those who may look into their policies', async () => {
  const owner = { did: 'did:example:registry', role: 'STANDARD_REGISTRY' };
  const { policy } = await world.engine.importPolicy(owner, {
    name: 'Documents',
    config: block('interfaceContainerBlock', 'page'),
  });
  const claim = (value: number) => ({
    owner: owner.did,
    schema: '#x',
    document: { credentialSubject: [{ same: 1, value }], proof: { value } },
  });
  const [first, second] = await world.engine.program.documents.add(policy.id, [claim(1), claim(2)]);
  const json = { documentId1: String(first?.id), documentId2: String(second?.id) };
  for (const path of ['analytics/compare/documents', 'projects/compare/documents']) {
    const { body } = await world.call('POST', path, json);
    expect(body).toMatchObject({ left: { id: first?.id, policy: 'Documents' }, total: 50 });
  }
  expect((await world.as('ann', 'POST', 'analytics/compare/documents', { json })).status).toBe(404);
});

it('searches find the policies and blocks that are most alike, and suggest what mostly follows', async () => {
  const roles = block('policyRolesBlock', 'roles');
  const target = await begin('Target', [roles, news('Hello')]);
  const alike = await begin('Alike', [roles, news('Hello')]);
  await begin('Different', [block('buttonBlock', 'press')], { description: 'Special' });
  const search = async (json: object) =>
    (await world.call('POST', 'analytics/search/policies', json)).body as {
      target: { id: string } | null;
      result: { id: string; name: string; rate: number }[];
    };
  const found = await search({ policyId: target });
  expect(found.target).toMatchObject({ id: target });
  expect(found.result.map(({ name, rate }) => [name, rate === 100])).toEqual([
    ['Alike', true],
    ['Target', true],
    ['Different', false],
  ]);
  expect((await search({ policyId: target, threshold: 100 })).result).toHaveLength(2);
  expect((await search({ text: 'special' })).result).toMatchObject([{ name: 'Different' }]);
  expect((await world.as('other', 'POST', 'analytics/search/policies', { json: {} })).body).toMatchObject({
    target: null,
    result: [],
  });
  const { config } = (await world.call('GET', `policies/${target}`)).body as { config: { children: { id: string }[] } };
  const blocks = (await world.call('POST', 'analytics/search/blocks', { id: config.children[1]?.id, config })).body;
  expect(blocks).toMatchObject([
    { name: 'Alike', hash: 100, chains: [{ target: { tag: 'news' }, pairs: [{ source: { tag: 'news' } }] }] },
  ]);
  expect(alike).not.toBe(target);
  const tree = { blockType: 'interfaceContainerBlock', children: [{ blockType: 'policyRolesBlock' }] };
  expect(await world.call('POST', 'suggestions', tree)).toMatchObject({
    status: 201,
    body: { next: 'informationBlock', nested: null },
  });
});
