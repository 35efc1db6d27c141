/** The schemas of a draft as a workbook, over HTTP: out, looked at, back as one edit, and undone. */
import { standardBlocks } from '@blockwork/blocks';
import { createClient, type Client } from '@blockwork/client';
import { createEngine, type Caller } from '@blockwork/core';
import { createPolicyHandler } from '@blockwork/http-fetch';
import { signDevelopmentToken } from '@blockwork/http-koa';
import { readWorkbook, writeWorkbook, type Cell, type Workbook } from '@blockwork/spreadsheet';
import { createSecretKey } from 'node:crypto';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { fieldLine, workbookOf } from './support/schema-workbook.js';

const secret = createSecretKey(Buffer.alloc(32, 9));
const owner: Caller = { did: 'did:example:registry', username: 'registry', role: 'STANDARD_REGISTRY' };
const engine = createEngine({ blocks: standardBlocks() });
let policyId = '';

const bytes = (workbook: Workbook): Uint8Array<ArrayBuffer> => new Uint8Array(writeWorkbook(workbook));
const site = (...fields: Parameters<typeof workbookOf>[1][]): Uint8Array<ArrayBuffer> =>
  bytes(workbookOf('Site', fieldLine('String', 'Name', 'name'), ...fields));

const handler = createPolicyHandler(engine, { auth: { secret } });
const clientOf = (caller: Caller): Client =>
  createClient({ url: 'http://here', token: signDevelopmentToken(secret, caller), fetch: handler });
const client = clientOf(owner);

beforeEach(async () => {
  const { data } = await client.routes.createPolicy({ body: { name: `Sites ${String(Math.random())}` } });
  policyId = data.policy.id;
});
afterAll(() => engine.close());

const schemas = async (): Promise<readonly Record<string, unknown>[]> =>
  (await client.routes.getDefinition({ policyId })).data.schemas;
const historyLength = async (): Promise<number> => (await client.routes.listEdits({ policyId })).data.length;

/** The workbook with another value in a cell of its first sheet. */
function withCell({ sheets }: Workbook, address: string, cell: Cell): Workbook {
  const [column, number] = [address.replace(/\d+/, ''), Number(address.replace(/\D+/, ''))];
  return {
    sheets: sheets.map((sheet, index) => ({
      ...sheet,
      rows: sheet.rows.map((row) =>
        index === 0 && row.number === number ? { ...row, cells: new Map([...row.cells, [column, cell]]) } : row,
      ),
    })),
  };
}

it('a preview says what an import would do and stores nothing; the import does it as one edit, which can be undone', async () => {
  const { data: preview } = await client.routes.previewSchemas({ policyId, body: site() });
  expect(preview).toMatchObject({ schemas: [{ name: 'Site', change: 'added', added: ['name'] }], findings: [] });
  expect(await schemas()).toEqual([]);

  const { data: imported } = await client.routes.importSchemas({ policyId, body: site(), ifMatch: preview.revision });
  expect(imported).toMatchObject({ revision: preview.revision + 1, schemas: [{ change: 'added' }] });
  expect(await schemas()).toMatchObject([{ name: 'Site', entity: 'VC', document: { properties: { name: {} } } }]);

  await client.routes.editPolicy({ policyId, body: { undo: imported.edit?.id ?? '' } });
  expect(await schemas()).toEqual([]);
});

it('the same workbook again changes nothing, so that an import whose answer was lost can be repeated', async () => {
  const { data: first } = await client.routes.importSchemas({ policyId, body: site() });
  const { data: again } = await client.routes.importSchemas({ policyId, body: site(), ifMatch: 0 });
  expect(again).toMatchObject({ revision: first.revision, edit: null, schemas: [{ change: 'same' }] });
  expect(await historyLength()).toBe(1);
});

it('a later workbook changes the schema of that name, field by field', async () => {
  await client.routes.importSchemas({ policyId, body: site() });
  const [before] = await schemas();
  const body = site(fieldLine('Number', 'Area', 'area'));
  const { data } = await client.routes.importSchemas({ policyId, body });
  expect(data.schemas).toMatchObject([{ change: 'changed', added: ['area'], removed: [], changed: [] }]);
  const [after, ...others] = await schemas();
  expect(others).toEqual([]);
  expect(after?.['iri']).toBe(before?.['iri']);
});

it('what is exported and not edited changes nothing, and an edited cell changes its field only', async () => {
  await client.routes.importSchemas({ policyId, body: site(fieldLine('Number', 'Area', 'area')) });
  const before = await schemas();
  const { data: file, headers } = await client.routes.exportSchemas({ policyId });
  expect(headers.get('content-disposition')).toContain(`${policyId}.xlsx`);
  const { data: same } = await client.routes.importSchemas({ policyId, body: new Uint8Array(file) });
  expect(same.edit).toBeNull();
  expect(await schemas()).toEqual(before);

  const workbook = withCell(readWorkbook(file), 'E6', { value: 'How large is it?' });
  const { data: changed } = await client.routes.importSchemas({ policyId, body: bytes(workbook) });
  expect(changed.schemas).toMatchObject([{ added: [], removed: [], changed: ['area'] }]);
});

it('an exported sheet that nobody edited does not take back what somebody else changed meanwhile', async () => {
  await client.routes.importSchemas({ policyId, body: site() });
  const { data: file } = await client.routes.exportSchemas({ policyId });
  await client.routes.importSchemas({ policyId, body: site(fieldLine('Number', 'Area', 'area')) });
  const { data } = await client.routes.importSchemas({ policyId, body: new Uint8Array(file) });
  expect(data).toMatchObject({ edit: null, schemas: [{ change: 'same' }] });
});

it('cells with errors are all told, and nothing of the workbook is imported', async () => {
  const body = site(fieldLine('Nmber', 'Area', 'area'), fieldLine('String', 'Owner', 'the owner'));
  const { data: preview } = await client.routes.previewSchemas({ policyId, body });
  expect(preview.findings.map(({ cell }) => cell).sort()).toEqual(['B6', 'J7']);
  await expect(client.routes.importSchemas({ policyId, body })).rejects.toMatchObject({
    status: 422,
    error: 'INPUT_INVALID',
    details: expect.arrayContaining([expect.objectContaining({ path: 'Site!B6' })]) as unknown,
  });
  expect(await historyLength()).toBe(0);
});

it('a workbook without a sheet of a schema is told so', async () => {
  const body = bytes({ sheets: [{ name: 'Notes', rows: [] }] });
  await expect(client.routes.importSchemas({ policyId, body })).rejects.toMatchObject({ error: 'INPUT_INVALID' });
});

it('an import is refused where others changed the same schema since it was looked at', async () => {
  await client.routes.importSchemas({ policyId, body: site() });
  const body = site(fieldLine('Number', 'Area', 'area'));
  const { data: preview } = await client.routes.previewSchemas({ policyId, body });
  await client.routes.importSchemas({ policyId, body: site(fieldLine('Date', 'Since', 'since')) });
  const late = client.routes.importSchemas({ policyId, body, ifMatch: preview.revision });
  await expect(late).rejects.toMatchObject({ status: 409, error: 'EDIT_CONFLICT' });
});

it('only drafts are changed', async () => {
  await client.routes.dryRunPolicy({ policyId });
  const late = client.routes.importSchemas({ policyId, body: site() });
  await expect(late).rejects.toMatchObject({ status: 409, error: 'POLICY_STATUS' });
});

it('a workbook over a limit is refused with the limit', async () => {
  const fields = Array.from({ length: 21_000 }, (_, index) => fieldLine('String', 'Q', `k${String(index)}`));
  await expect(client.routes.previewSchemas({ policyId, body: site(...fields) })).rejects.toMatchObject({
    status: 413,
    error: 'POLICY_FILE_TOO_LARGE',
    message: expect.stringContaining('20000 rows') as unknown,
  });
});

it('a file over the limit is refused for its size, before it is looked into', async () => {
  const body = new Uint8Array(8 * 1024 * 1024 + 1);
  await expect(client.routes.previewSchemas({ policyId, body })).rejects.toMatchObject({
    status: 413,
    error: 'POLICY_FILE_TOO_LARGE',
  });
  const small = client.routes.previewSchemas({ policyId, body: body.subarray(1) });
  await expect(small).rejects.toMatchObject({ status: 422, error: 'POLICY_FILE_INVALID' });
});

it('schemas in the draft of another owner are neither shown nor changed', async () => {
  const { routes } = clientOf({ did: 'did:example:other', username: 'other', role: 'STANDARD_REGISTRY' });
  const unknown = { status: 404, error: 'POLICY_UNKNOWN' };
  await expect(routes.exportSchemas({ policyId })).rejects.toMatchObject(unknown);
  await expect(routes.previewSchemas({ policyId, body: site() })).rejects.toMatchObject(unknown);
  await expect(routes.importSchemas({ policyId, body: site() })).rejects.toMatchObject(unknown);
  expect(await historyLength()).toBe(0);
});
