/** `blockwork client` as a program: what it writes compiles, and takes and gives what the policy does. */
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { publishedPolicies } from '../../../test/library/published.js';
import { problemsOf } from '../../../test/support/compiled-programs.js';
import { temporaryFolders } from '../../../test/support/folders.js';
import { run, runJson } from './support/run.js';

const newFolder = temporaryFolders();

interface Written {
  readonly policy: string;
  readonly code: number;
  /** The client. */
  readonly out: string;
  /** Uses of it, each with the client in front. */
  readonly programs: readonly string[];
}

const refused = [expect.any(String) as string];
const report = "{ site: 'Roof', kilowattHours: 1";
let typed: Written;
let placed: Written;
/** Of each program above, and then of each client of a real policy. */
let problems: string[][];

beforeAll(async () => {
  const project = join(await newFolder(), 'sunlight');
  await run(['new', project]);
  const policy = await readFile(join(project, 'sunlight.policy.json'), 'utf8');
  typed = await withUses(ofOneSchema(policy), typedUses);
  placed = await withUses(withPlace(policy), placeUses);
  const real = await Promise.all(publishedPolicies.map(async (file) => (await run(['client', file])).out));
  // One compilation for all: what they share, it reads once.
  problems = problemsOf([...typed.programs, ...placed.programs, ...real], import.meta.url);
});

async function withUses(text: string, uses: readonly string[]): Promise<Written> {
  const policy = join(await newFolder(), 'p.policy.json');
  await writeFile(policy, text);
  const { code, out } = await run(['client', policy]);
  const declared = "declare const client: Client;\nconst { owner, nobody, Producer } = policyClient(client, 'p');";
  return { policy, code, out, programs: uses.map((use) => `${out}\n${declared}\nvoid [owner, nobody];\n${use}`) };
}

/** Its grids show documents of its schema alone. */
function ofOneSchema(policy: string): string {
  const [schema] = (JSON.parse(policy) as { schemas: { iri: string }[] }).schemas;
  return policy.replaceAll('"vc-documents",', `"vc-documents", "schema": "${schema?.iri ?? ''}",`);
}

function withPlace(policy: string): string {
  const file = JSON.parse(policy) as { schemas: { document: Described }[] };
  const { document } = file.schemas[0] ?? {};
  if (document === undefined) throw new Error('The template has no schema.');
  const kind = (type: string, member: string, items: object): object => ({
    type: 'object',
    properties: { type: { type: 'string', enum: [type] }, [member]: { type: 'array', items } },
    required: ['type', member],
  });
  const point = kind('Point', 'coordinates', { type: 'number' });
  const oneOf = [point, kind('Collection', 'geometries', point)];
  document.properties['place'] = { $ref: '#GeoJSON' };
  document.$defs = { '#GeoJSON': { $id: '#GeoJSON', type: 'object', title: 'GeoJSON', oneOf } };
  return JSON.stringify(file);
}

const siteOfRow = (member: string): string =>
  `void Producer.myReports().then(({ data: [row] }) => row?.document?.credentialSubject?.[0]?.${member}.length);`;

const typedUses = [
  `void nobody.chooseRole('Producer');
   void Producer.report(${report} });
   void Producer.myReports({ page: 0 }).then(({ data: [row] }) => row && owner.decide('Approve', row));`,
  siteOfRow('site'),
  siteOfRow('city'),
  'void Producer.report({ site: 1, kilowattHours: 1 });',
  "void owner.decide('Aprove', {});",
];

const aPoint = "{ type: 'Point', coordinates: [1, 2] }";
const placeUses = [
  aPoint,
  `{ type: 'Collection', geometries: [${aPoint}] }`,
  '{ coordinates: [1, 2] }',
  "{ type: 'Line' }",
].map((place) => `void Producer.report(${report}, place: ${place} });`);

describe('client', () => {
  it('has the forms, grids and buttons of each role, with the types of their documents', async () => {
    const { policy, code, out } = typed;
    expect(code).toBe(0);
    expect(out).toContain('export interface Report {\n  /** Site */\n  readonly site: string;');
    expect(problems.slice(0, typedUses.length)).toEqual([[], [], refused, refused, refused]);
    expect(await runJson(['client', policy])).toEqual({ code: out });
  });

  it('takes an object of one of several kinds, such as GeoJSON, with the kind that it says it is', () => {
    expect(placed.code).toBe(0);
    const ofPlaces = problems.slice(typedUses.length, typedUses.length + placeUses.length);
    expect(ofPlaces).toEqual([[], [], refused, refused]);
  });

  it.skipIf(publishedPolicies.length === 0)('of every real policy compiles', () => {
    const unused = problems.slice(typedUses.length + placeUses.length);
    const named = unused.map((each, at) => ({ file: basename(publishedPolicies[at] ?? ''), problems: each }));
    expect(named).toEqual(publishedPolicies.map((file) => ({ file: basename(file), problems: [] })));
  });
});

interface Described {
  readonly properties: Record<string, unknown>;
  $defs?: Record<string, unknown>;
}
