/** `blockwork client` as a program: what it writes compiles, and takes and gives what the policy does. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { library } from '../../../test/library/library.js';
import { temporaryFolders } from '../../../test/support/folders.js';
import { problemsOf } from './support/compile.js';
import { run, runJson } from './support/run.js';

const newFolder = temporaryFolders();
const real = process.env['BLOCKWORK_REAL_POLICIES'];
const folders = [...(real === undefined ? [] : [real]), ...(library === undefined ? [] : [join(library, 'policies')])];
const policyFiles = (
  await Promise.all(folders.map(async (folder) => (await readdir(folder)).map((name) => join(folder, name))))
)
  .flat()
  .filter((name) => name.endsWith('.policy'));

let policy: string;

beforeAll(async () => {
  const project = join(await newFolder(), 'sunlight');
  await run(['new', project]);
  policy = join(project, 'sunlight.policy.json');
});

describe('client', () => {
  it('has the forms, grids and buttons of each role, with the types of their documents', async () => {
    const text = await readFile(policy, 'utf8');
    const [schema] = (JSON.parse(text) as { schemas: { iri: string }[] }).schemas;
    const ofSchema = join(await newFolder(), 'typed.policy.json');
    await writeFile(ofSchema, text.replaceAll('"vc-documents",', `"vc-documents", "schema": "${schema?.iri ?? ''}",`));
    const { code, out } = await run(['client', ofSchema]);
    expect(code).toBe(0);
    expect(out).toContain('export interface Report {\n  /** Site */\n  readonly site: string;');
    const use = `declare const client: Client;
      const { owner, nobody, Producer } = policyClient(client, 'p');
      void nobody.chooseRole('Producer');
      void Producer.report({ site: 'Roof', kilowattHours: 1 });
      void Producer.myReports({ page: 0 }).then(({ data: [row] }) => row && owner.decide('Approve', row));`;
    const typedRow =
      'void Producer.myReports().then(({ data: [row] }) => row?.document?.credentialSubject?.[0]?.site.length);';
    const wrongField = typedRow.replace('.site', '.city');
    const wrongType = 'void Producer.report({ site: 1, kilowattHours: 1 });';
    const wrongButton = "void owner.decide('Aprove', {});";
    expect(
      problemsOf(['', typedRow, wrongType, wrongButton, wrongField].map((more) => `${out}\n${use}\n${more}`)),
    ).toEqual([[], [], ...Array.from({ length: 3 }, () => [expect.any(String) as string])]);
    expect(await runJson(['client', ofSchema])).toEqual({ code: out });
  });

  it('takes an object of one of several kinds, such as GeoJSON, with the kind that it says it is', async () => {
    const file = JSON.parse(await readFile(policy, 'utf8')) as { schemas: { iri: string; document: Described }[] };
    const { iri = '', document } = file.schemas[0] ?? {};
    const point = {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['Point'] },
        coordinates: { type: 'array', items: { type: 'number' } },
      },
      required: ['type', 'coordinates'],
    };
    const collection = {
      type: 'object',
      properties: { type: { type: 'string', enum: ['Collection'] }, geometries: { type: 'array', items: point } },
      required: ['type', 'geometries'],
    };
    if (document === undefined) throw new Error('The template has no schema.');
    document.properties['place'] = { $ref: '#GeoJSON' };
    document.$defs = { '#GeoJSON': { $id: '#GeoJSON', type: 'object', title: 'GeoJSON', oneOf: [point, collection] } };
    const withPlace = join(await newFolder(), 'place.policy.json');
    const text = JSON.stringify(file).replaceAll('"vc-documents",', `"vc-documents","schema":"${iri}",`);
    await writeFile(withPlace, text);
    const { code, out } = await run(['client', withPlace]);
    expect(code).toBe(0);
    const report = (place: string): string =>
      `${out}\ndeclare const client: Client;\nvoid policyClient(client, 'p').Producer.report({ site: 'Roof', kilowattHours: 1, place: ${place} });`;
    const aPoint = "{ type: 'Point', coordinates: [1, 2] }";
    const places = [
      aPoint,
      `{ type: 'Collection', geometries: [${aPoint}] }`,
      '{ coordinates: [1, 2] }',
      "{ type: 'Line' }",
    ];
    const refused = [expect.any(String) as string];
    expect(problemsOf(places.map(report))).toEqual([[], [], refused, refused]);
  });

  it.skipIf(policyFiles.length === 0)('of every real policy compiles', async () => {
    const clients = await Promise.all(policyFiles.map(async (file) => (await run(['client', file])).out));
    const found = problemsOf(clients).map((problems, at) => ({ file: basename(policyFiles[at] ?? ''), problems }));
    expect(found).toEqual(policyFiles.map((file) => ({ file: basename(file), problems: [] })));
  });
});

interface Described {
  readonly properties: Record<string, unknown>;
  $defs?: Record<string, unknown>;
}
