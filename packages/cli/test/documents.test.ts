/** `blockwork documents`: a template filled in, checked, sent once, and the documents of a grid as a file. */
import { createSecretKey } from 'node:crypto';
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { standardBlocks } from '@blockwork/blocks';
import { emptyDocument, newField, readSchema, writeSchema } from '@blockwork/contract/schema-model';
import { createEngine, type Caller, type PolicyEngine } from '@blockwork/core';
import { createPolicyServer, signDevelopmentToken, type PolicyServer } from '@blockwork/http-koa';
import { readWorkbook, rowOf, writeWorkbook, type CellValue } from '@blockwork/spreadsheet';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolders } from '../../../test/support/folders.js';
import { sitesPolicy } from '../../../test/support/sites-policy.js';
import { run, type Ended } from './support/run.js';

const newFolder = temporaryFolders();
const secret = createSecretKey(Buffer.alloc(32, 9));
const owner: Caller = { did: 'did:example:registry', role: 'STANDARD_REGISTRY' };
const alice: Caller = { did: 'did:example:alice', role: 'USER' };
let [folder, url, policyId] = ['', '', ''];
let [engine, server]: [PolicyEngine?, PolicyServer?] = [];

beforeEach(async () => {
  folder = await newFolder();
  engine = createEngine({ blocks: standardBlocks() });
  server = createPolicyServer(engine, { auth: { secret } });
  ({ url } = await server.listen({ port: 0 }));
  const fields = [{ ...newField('name', 'Name'), isRequired: true }, newField('area', 'Area', 'Number')];
  const document = writeSchema({ ...readSchema(emptyDocument('#site', 'Site', '', 'VC')), fields });
  const { policy } = await engine.importPolicy(
    owner,
    sitesPolicy([{ iri: '#site', name: 'Site', entity: 'VC', document }]),
  );
  policyId = policy.id;
});
afterEach(async () => {
  await server?.close();
  await engine?.close();
});

const token = signDevelopmentToken(secret, alice);
const documents = (name: string, file: string, block: string, ...more: string[]): Promise<Ended> =>
  run(['documents', name, url, file, '--policy', policyId, '--block', block, ...more], {
    env: { BLOCKWORK_TOKEN: token },
  });
const send = (...more: string[]): Promise<Ended> => documents('send', join(folder, 'form.xlsx'), 'form', ...more);

/** The template with these rows: name and area. */
async function fill(...lines: readonly (readonly (CellValue | undefined)[])[]): Promise<void> {
  const file = join(folder, 'form.xlsx');
  expect((await documents('template', file, 'form')).out).toBe(`Wrote ${file}.\n`);
  const { sheets } = readWorkbook(await readFile(file));
  const rows = lines.map((line, at) => rowOf(at + 3, [undefined, ...line]));
  await writeFile(
    file,
    writeWorkbook({ sheets: sheets.map((sheet) => ({ ...sheet, rows: [...sheet.rows.slice(0, 2), ...rows] })) }),
  );
}

async function names(): Promise<string[]> {
  const file = join(folder, 'grid.csv');
  await documents('export', file, 'grid', '--format', 'csv');
  const [head = '', ...lines] = (await readFile(file, 'utf8')).trim().split('\r\n');
  const column = head.split(',').indexOf('name');
  return lines.map((line) => line.split(',')[column] ?? '').sort();
}

it('rows are sent once: repeated, added and equal ones, with and without the report', async () => {
  await fill(['North', 3], ['South', 4], ['South', 4]);
  const first = await send();
  expect(first).toMatchObject({ code: 0, out: expect.stringContaining('Sent 3 of 3 rows') as unknown });
  expect(await names()).toEqual(['North', 'South', 'South']);

  await fill(['North', 3], ['South', 4], ['South', 4], ['East', 5]);
  expect((await send()).out).toContain('Sent 1 of 4 rows; 3 were sent before');
  expect(await names()).toEqual(['East', 'North', 'South', 'South']);

  await fill(['East', 5]);
  expect((await send()).out).toContain('Sent 0 of 1 rows; 1 were sent before');
  await fill(['North', 3], ['South', 4], ['South', 4], ['East', 5]);

  // As if the command had been killed while it wrote, and as if the report had been lost.
  await appendFile(join(folder, 'form.xlsx.report.jsonl'), '{"row":3,"ke');
  await send();
  await rm(join(folder, 'form.xlsx.report.jsonl'));
  expect((await send()).out).toContain('Sent 4 of 4 rows; 0 were sent before');
  expect(await names()).toEqual(['East', 'North', 'South', 'South']);
});

it('rows with problems are listed by cell, and nothing is sent unless the valid ones are asked for', async () => {
  await fill(['North', 3], [undefined, 4], ['South', 'large']);
  const { code, out } = await send();
  expect(code).toBe(1);
  expect(out).toBe(
    [
      '  Rows!B4  error  ROW_INVALID  is required',
      '  Rows!C5  error  ROW_INVALID  must be number',
      'Nothing was sent: correct the cells first, or use --valid-only.\n',
    ].join('\n'),
  );
  expect(await names()).toEqual([]);
  expect(await send('--valid-only')).toMatchObject({ code: 1 });
  expect(await names()).toEqual(['North']);
  await fill(['North', 3], ['West', 4], ['South', 5]);
  expect(await send()).toMatchObject({ code: 0 });
  expect(await names()).toEqual(['North', 'South', 'West']);
});

it('a check sends nothing', async () => {
  await fill(['North', 3]);
  expect((await send('--check')).out).toBe('1 rows, 0 with problems.\n');
  expect(await names()).toEqual([]);
});

it('a workbook holds the documents of a grid as well', async () => {
  await fill(['North', 3]);
  await send();
  const file = join(folder, 'grid.xlsx');
  await documents('export', file, 'grid');
  const [sheet] = readWorkbook(await readFile(file)).sheets;
  expect([...(sheet?.rows[1]?.cells.values() ?? [])].map(({ value }) => value)).toContain('North');
});

it('what the server refuses is told, and so is a missing token', async () => {
  const file = join(folder, 'form.xlsx');
  expect(await documents('template', file, 'grid')).toMatchObject({ code: 4 });
  expect(await documents('template', file, 'nowhere')).toMatchObject({ code: 4 });
  const argv = ['documents', 'template', url, file, '--policy', policyId, '--block', 'form'];
  expect((await run(argv)).code).toBe(2);
});

it('a file of comma-separated values is checked and sent as a workbook is', async () => {
  const file = join(folder, 'sites.csv');
  await writeFile(file, 'name;area\nNorth;3\nSouth;far\n');
  const refused = await documents('send', file, 'form');
  expect(refused.code).not.toBe(0);
  expect(refused.out).toContain('Rows!B3');
  expect(await names()).toEqual([]);
  await writeFile(file, 'name;area\nNorth;3\nSouth;4\n');
  expect((await documents('send', file, 'form')).out).toContain('Sent 2 of 2 rows');
  expect(await names()).toEqual(['North', 'South']);
});
