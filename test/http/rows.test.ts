/** Rows of sheets over HTTP: a form's template, rows checked as the form checks them, and a grid as a file. */
import { standardBlocks } from '@blockwork/blocks';
import { createClient, type Client } from '@blockwork/client';
import {
  comparison,
  emptyDocument,
  newField,
  readSchema,
  writeSchema,
  type SchemaField,
} from '@blockwork/contract/schema-model';
import { createEngine, type Caller } from '@blockwork/core';
import { createPolicyHandler } from '@blockwork/http-fetch';
import { signDevelopmentToken } from '@blockwork/http-koa';
import { readWorkbook, rowOf, writeWorkbook, type CellValue, type Sheet } from '@blockwork/spreadsheet';
import { unzipSync } from 'fflate';
import { createSecretKey } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sitesPolicy } from '../support/sites-policy.js';

const secret = createSecretKey(Buffer.alloc(32, 9));
const owner: Caller = { did: 'did:example:registry', role: 'STANDARD_REGISTRY' };
const alice: Caller = { did: 'did:example:alice', role: 'USER' };
const engine = createEngine({ blocks: standardBlocks() });
const clientOf = (caller: Caller): Client =>
  createClient({
    url: 'http://here',
    token: signDevelopmentToken(secret, caller),
    fetch: createPolicyHandler(engine, { auth: { secret } }),
  });
const client = clientOf(alice);

const required = (field: SchemaField): SchemaField => ({ ...field, isRequired: true });
const reference = (key: string, question: string, iri: string, isList: boolean): SchemaField => ({
  ...newField(key, question, 'Reference'),
  ...{ reference: iri, isList },
});
const place = writeSchema({
  ...readSchema(emptyDocument('#place', 'Place', '', 'NONE')),
  fields: [required(newField('town', 'Town')), newField('height', 'Height', 'Number')],
});
const site = readSchema(emptyDocument('#site', 'Site', '', 'VC'));
const document = {
  ...writeSchema({
    ...site,
    fields: [
      required(newField('name', 'Name')),
      { ...newField('fuel', 'Fuel', 'Enum'), choices: ['Sun', 'Coal'] },
      { ...newField('mass', 'Mass', 'Number'), unit: 't', unitSystem: 'postfix', bounds: { minimum: 1 } },
      newField('since', 'Since', 'Date'),
      newField('open', 'Open', 'Boolean'),
      { ...newField('tags', 'Tags'), isList: true },
      reference('place', 'Place', '#place', false),
      reference('meters', 'Meters', '#place', true),
      { ...newField('secret', 'Secret'), isHidden: true },
    ],
    rules: [
      { kind: 'condition', if: comparison('fuel', 'Coal'), then: [{ key: 'mass', isRequired: true }], otherwise: [] },
    ],
  }),
  $defs: { '#place': place },
};

let [policyId, form, grid] = ['', '', ''];
beforeAll(async () => {
  const schemas = [
    { iri: '#site', name: 'Site', entity: 'VC', document },
    { iri: '#place', name: 'Place', entity: 'NONE', document: place },
  ];
  const pages = { blockType: 'paginationAddon', tag: 'pages', permissions: ['ANY_ROLE'] };
  const { policy } = await engine.importPolicy(owner, sitesPolicy(schemas, [pages]));
  policyId = policy.id;
  const idOf = async (tag: string): Promise<string> => (await client.routes.getBlockId({ policyId, tag })).data.id;
  [form, grid] = [await idOf('form'), await idOf('grid')];
});
afterAll(() => engine.close());

const template = async (): Promise<Uint8Array> => (await client.routes.getRowTemplate({ policyId, uuid: form })).data;

/** The template with rows in its sheets, by the keys of their columns. */
async function filled(
  rows: Readonly<Record<string, readonly Readonly<Record<string, CellValue>>[]>>,
): Promise<Uint8Array<ArrayBuffer>> {
  const { sheets } = readWorkbook(await template());
  const written = sheets.map((sheet): Sheet => {
    const keys = [...(sheet.rows[1]?.cells.values() ?? [])].map(({ value }) => String(value));
    const added = (rows[sheet.name] ?? []).map((row, at) =>
      rowOf(
        at + 3,
        keys.map((key) => row[key]),
      ),
    );
    return { ...sheet, rows: [...sheet.rows, ...added] };
  });
  return new Uint8Array(writeWorkbook({ sheets: written }));
}

const check = async (rows: Parameters<typeof filled>[0]) =>
  (await client.routes.checkRows({ policyId, uuid: form, body: await filled(rows) })).data;

it('the template has a column for each answer, a sheet for each list, and the choices to pick from', async () => {
  const file = await template();
  const { sheets } = readWorkbook(file);
  const keys = sheets.map(({ name, rows }) => [
    name,
    ...[...(rows[1]?.cells.values() ?? [])].map(({ value }) => value),
  ]);
  expect(keys.slice(0, 2)).toEqual([
    ['Rows', '#', 'name', 'fuel', 'mass', 'since', 'open', 'tags', 'place.town', 'place.height'],
    ['1 meters', '#', 'town', 'height'],
  ]);
  const titles = [...(sheets[0]?.rows[0]?.cells.values() ?? [])].map(({ value }) => value);
  expect(titles).toContain('Name *');
  expect(titles).toContain('Mass (t)');
  const sheet = Buffer.from(unzipSync(file)['xl/worksheets/sheet1.xml'] ?? []).toString();
  expect(sheet).toContain('sqref="C3:C1000"><formula1>_choices!$A$1:$A$2</formula1>');
  expect(sheets.at(-1)).toMatchObject({ name: '_choices', hidden: true });
});

it('each row becomes a document with values of the types of its fields, and lists come from their sheets', async () => {
  const { rows, findings } = await check({
    Rows: [
      { '#': 'n', name: 'North', fuel: 'Coal', mass: 3, since: 45_292, open: 'Yes', tags: 'a; b', 'place.town': 'Ulm' },
      {
        '#': 's',
        name: 'South',
        fuel: 'Sun',
        since: '2024-02-29',
        open: 'no',
        'place.town': 'Bern',
        'place.height': '542',
      },
    ],
    '1 meters': [
      { '#': 's', town: 'Chur', height: 585 },
      { '#': 's', town: 'Zug' },
    ],
  });
  expect(findings).toEqual([]);
  expect(rows.map(({ problems }) => problems)).toEqual([[], []]);
  expect(rows.map(({ row, document }) => [row, document])).toEqual([
    [
      3,
      {
        name: 'North',
        fuel: 'Coal',
        mass: 3,
        since: '2024-01-01',
        open: true,
        tags: ['a', 'b'],
        place: { town: 'Ulm' },
      },
    ],
    [
      4,
      {
        ...{ name: 'South', fuel: 'Sun', since: '2024-02-29', open: false, place: { town: 'Bern', height: 542 } },
        meters: [{ town: 'Chur', height: 585 }, { town: 'Zug' }],
      },
    ],
  ]);
});

it('problems are those that the form has with the row, each at its cell', async () => {
  const { rows, findings } = await check({
    Rows: [
      { '#': 1, fuel: 'Sun', 'place.town': 'Ulm' },
      { '#': 2, name: 'B', fuel: 'Coal' },
      { '#': 3, name: 'C', mass: 0.5, fuel: 'Coal' },
      { '#': 4, name: 'D', since: 'soon', 'place.height': 3 },
    ],
    '1 meters': [
      { '#': 4, height: 1 },
      { '#': 9, town: 'Rom' },
    ],
  });
  const cells = rows.map(({ problems }) => problems.map(({ cell, message }) => [cell, message]));
  expect(cells).toEqual([
    [['Rows!B3', 'is required']],
    [['Rows!D4', expect.stringContaining('is required')]],
    [['Rows!D5', 'must be >= 1']],
    [
      ['Rows!E6', 'must match format "date"'],
      ['Rows!H6', 'is required'],
      ['1 meters!B3', 'is required'],
    ],
  ]);
  expect(findings).toMatchObject([{ code: 'ROW_UNKNOWN', sheet: '1 meters', cell: 'A4', severity: 'error' }]);
});

it('a check stores nothing; what was checked can be sent, once under its key, and comes back from the grid', async () => {
  const { rows } = await check({ Rows: [{ name: '=1+1', fuel: 'Sun', 'place.town': 'Ulm', tags: 'a;b' }] });
  expect((await client.routes.readBlock({ policyId, uuid: grid })).data).toMatchObject({ data: [] });
  const [row] = rows;
  for (let time = 0; time < 2; time += 1) {
    const body = { document: row?.document, ref: null };
    await client.routes.sendToBlock({ policyId, uuid: form, body, idempotencyKey: 'row-1' });
  }
  const { data: csv } = await client.routes.exportRowsAsCsv({ policyId, uuid: grid });
  const lines = Buffer.from(csv).toString('utf8').split('\r\n');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(/^\uFEFFid,owner,createDate,.*name,fuel,tags,place\.town/);
  expect(lines[1]).toContain(`,'=1+1,Sun,"[""a"",""b""]",Ulm`);
  const { data: workbook } = await client.routes.exportRows({ policyId, uuid: grid });
  const [sheet] = readWorkbook(workbook).sheets;
  expect([...(sheet?.rows[1]?.cells.values() ?? [])].map(({ value }) => value)).toContain('=1+1');
});

it('all pages of the grid are exported, each document once', async () => {
  for (let n = 0; n < 120; n += 1) {
    const body = { document: { name: `Site ${String(n)}` }, ref: null };
    await client.routes.sendToBlock({ policyId, uuid: form, body });
  }
  const { data } = await client.routes.exportRows({ policyId, uuid: grid, query: { page: 1 } });
  const [sheet] = readWorkbook(data).sheets;
  expect(sheet?.rows).toHaveLength(122);
});

it('a block that is no form has no template, and one that is no grid no rows', async () => {
  const refused = { status: 422, error: 'INPUT_INVALID' };
  await expect(client.routes.getRowTemplate({ policyId, uuid: grid })).rejects.toMatchObject(refused);
  await expect(client.routes.exportRows({ policyId, uuid: form })).rejects.toMatchObject(refused);
});

it('more rows than are checked at once are refused', async () => {
  const rows = Array.from({ length: 1_001 }, (_, n) => ({ name: String(n) }));
  await expect(check({ Rows: rows })).rejects.toMatchObject({ status: 413, error: 'POLICY_FILE_TOO_LARGE' });
});
