/** `blockwork schemas`: out of a policy of any kind of file, and back into it, with the rest as it was. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packArchive, unpackArchive } from '@blockwork/core/files';
import { readWorkbook, writeWorkbook, type Cell } from '@blockwork/spreadsheet';
import { beforeEach, expect, it } from 'vitest';
import { temporaryFolders } from '../../../test/support/folders.js';
import { run } from './support/run.js';

const newFolder = temporaryFolders();
let [folder, json, archive, workbook] = ['', '', '', ''];

beforeEach(async () => {
  folder = await newFolder();
  await run(['new', join(folder, 'sunlight')]);
  json = join(folder, 'plain.policy.json');
  const text = await readFile(join(folder, 'sunlight', 'sunlight.policy.json'), 'utf8');
  await writeFile(json, text);
  archive = join(folder, 'sunlight.policy');
  await run(['pack', json, archive]);
  workbook = join(folder, 'schemas.xlsx');
});

/** Changes a cell of the first sheet. */
async function edit(address: string, cell: Cell): Promise<void> {
  const { sheets } = readWorkbook(await readFile(workbook));
  const [column, number] = [address.replace(/\d+/, ''), Number(address.replace(/\D+/, ''))];
  const rows = sheets[0]?.rows.map((row) =>
    row.number === number ? { ...row, cells: new Map([...row.cells, [column, cell]]) } : row,
  );
  await writeFile(
    workbook,
    writeWorkbook({ sheets: sheets.map((sheet, at) => ({ ...sheet, rows: at === 0 ? (rows ?? []) : sheet.rows })) }),
  );
}

const questions = async (path: string): Promise<string> => {
  const { out } = await run(['eject', path]);
  return out;
};

it('an unedited workbook changes nothing, and says so', async () => {
  expect((await run(['schemas', 'export', archive, workbook])).out).toMatch(
    /^Wrote \d+ schemas? to .*schemas\.xlsx\.\n$/,
  );
  const before = await readFile(archive);
  const { code, out } = await run(['schemas', 'import', archive, workbook]);
  expect([code, out]).toEqual([0, 'The schemas are the same.\n']);
  expect(await readFile(archive)).toEqual(before);
});

it('an edited cell changes its field, in an archive, a JSON file and a folder alike', async () => {
  const unpacked = join(folder, 'unpacked');
  await run(['unpack', archive, unpacked]);
  for (const path of [archive, json, unpacked]) {
    await run(['schemas', 'export', path, workbook]);
    await edit('E5', { value: 'Which place is it?' });
    const checked = await run(['schemas', 'import', path, workbook, '--check']);
    expect(checked.out).toMatch(/: changed\n {2}~ \w+\n$/);
    expect(await questions(path)).not.toContain('Which place is it?');
    const { code, out } = await run(['schemas', 'import', path, workbook]);
    expect([code, out]).toEqual([0, `${checked.out}Changed ${path}.\n`]);
    expect(await questions(path)).toContain('Which place is it?');
    expect((await run(['validate', path])).code).toBe(0);
  }
});

it('the other files of an archive stay as they are, but for the proof of what it was', async () => {
  const files = new Map([
    ...unpackArchive(await readFile(archive)),
    ['artifacts/a.bin', Buffer.from([1, 2])],
    ['proof.json', Buffer.from('{}')],
  ]);
  await writeFile(archive, packArchive(files));
  await run(['schemas', 'export', archive, workbook]);
  await edit('E5', { value: 'Which place is it?' });
  await run(['schemas', 'import', archive, workbook]);
  const after = unpackArchive(await readFile(archive));
  expect([...after.keys()].sort()).toEqual([...files.keys()].filter((name) => name !== 'proof.json').sort());
  expect([...(after.get('artifacts/a.bin') ?? [])]).toEqual([1, 2]);
});

it('cells with errors are listed with their places, and nothing is changed', async () => {
  await run(['schemas', 'export', archive, workbook]);
  await edit('B5', { value: 'Strnig' });
  const before = await readFile(archive);
  const { code, out } = await run(['schemas', 'import', archive, workbook]);
  expect(code).toBe(1);
  expect(out).toMatch(/schemas\.xlsx {2}.*!B5 {2}error {2}TYPE_UNKNOWN {2}"Strnig"/);
  expect(out).toContain('Nothing was changed');
  expect(await readFile(archive)).toEqual(before);
  const asJson = await run(['schemas', 'import', archive, workbook, '--json']);
  expect(JSON.parse(asJson.out)).toMatchObject({ written: false, findings: [{ cell: 'B5' }] });
});

it('what is no workbook, code, and JSON with comments are refused', async () => {
  await run(['schemas', 'export', json, workbook]);
  await writeFile(join(folder, 'no.xlsx'), 'no');
  expect(await run(['schemas', 'import', archive, join(folder, 'no.xlsx')])).toMatchObject({ code: 3 });
  expect((await run(['schemas', 'import', 'policy.ts', workbook])).code).toBe(2);
  await edit('E5', { value: 'Which place is it?' });
  await writeFile(json, `// mine\n${await readFile(json, 'utf8')}`);
  const { code, err } = await run(['schemas', 'import', json, workbook]);
  expect([code, err]).toEqual([2, expect.stringContaining('comments') as unknown]);
});
