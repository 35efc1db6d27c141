/** Schemas through a workbook: the example of the format, edits, findings by cell, and every schema of the shared policies. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writtenAsJson } from '@blockwork/core/files';
import {
  exportSchemas,
  importSchemas,
  previewImport,
  readWorkbook,
  rowOf,
  writeWorkbook,
  type Cell,
  type PolicySchema,
  type Sheet,
  type Workbook,
} from '@blockwork/spreadsheet';
import { describe, expect, it } from 'vitest';

const titles = [
  'Required Field',
  'Field Type',
  'Parameter',
  'Visibility',
  'Question',
  'Allow Multiple Answers',
  'Answer',
  'Default',
  'Suggest',
  'Key',
];

type Line = readonly (string | number | boolean | Cell | undefined)[];

const sheetOf = (name: string, lines: readonly Line[]): Sheet => ({
  name,
  rows: lines.map((line, index) => rowOf(index + 1, line)),
});

const project = (...fields: readonly Line[]): Sheet =>
  sheetOf('Project', [['Project form'], ['Description', 'About'], ['Schema Type', 'VC'], titles, ...fields]);

const fuels = sheetOf('Enums', [['Value', 'Enum Name', 'Loaded to IPFS'], ['Coal', 'Fuel', 'No'], [], ['Gas']]);

const field = (type: string, visibility: Line[number], key: string, answer?: Line[number]): Line => [
  'Yes',
  type,
  type === 'Enum' ? 'Fuel' : undefined,
  visibility,
  key,
  'No',
  answer,
  undefined,
  undefined,
  key,
];

function imported(...sheets: readonly Sheet[]) {
  let count = 0;
  const newIri = (): string => `#new-${String((count += 1))}`;
  return importSchemas(readWorkbook(writeWorkbook({ sheets })), { newIri });
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- expectations look deep into JSON
type Loose = Record<string, any>;

const commentIn = (property: unknown): unknown => JSON.parse((property as { $comment: string }).$comment);

describe('a workbook', () => {
  it('becomes the schema that the format describes', () => {
    const { schemas, findings } = imported(
      project(
        ['Yes', 'Enum', 'Fuel', undefined, 'Fuel used', 'No', 'Coal', undefined, undefined, 'fuel'],
        [
          'Yes',
          'Number',
          undefined,
          { formula: 'EXACT(G5,"Coal")' },
          'Tonnes',
          'No',
          3,
          undefined,
          undefined,
          'tonnes',
        ],
        ['No', 'Postfix', 'kg', { formula: 'NOT(EXACT($G$5,"Coal"))' }, 'Mass', 'No', 5, undefined, undefined, 'mass'],
        ['No', 'Site', undefined, undefined, 'Sites', 'Yes', undefined, undefined, undefined, 'sites'],
        ['No', 'Number', 'tonnes*2', 'Auto', 'Total', 'No', undefined, undefined, undefined, 'total'],
      ),
      sheetOf('Site', [
        ['Site'],
        ['Schema Type', 'Sub-Schema'],
        titles,
        ['Yes', 'String', '', '', 'Name', 'No', 'North', '', '', 'name'],
      ]),
      fuels,
      sheetOf('Notes', [['Remember the milk']]),
    );
    expect(findings).toEqual([expect.objectContaining({ code: 'SHEET_IGNORED', sheet: 'Notes', severity: 'warning' })]);
    const [form, site] = schemas;
    expect(form).toMatchObject({ name: 'Project form', description: 'About', entity: 'VC' });
    const { properties, required, allOf, $defs } = form?.document as Loose;
    expect(properties.fuel).toMatchObject({
      type: 'string',
      enum: ['Coal', 'Gas'],
      description: 'Fuel used',
      examples: ['Coal'],
    });
    expect(commentIn(properties.fuel)).toMatchObject({ customType: 'enum', enumName: 'Fuel' });
    expect(commentIn(properties.mass)).toMatchObject({ unit: 'kg', unitSystem: 'postfix' });
    expect(properties.sites).toMatchObject({ type: 'array', items: { $ref: site?.iri } });
    expect(commentIn(properties.total)).toMatchObject({ autocalculate: true, expression: 'tonnes*2' });
    expect(required).toEqual(['@context', 'type', 'fuel', 'policyId', 'guardianVersion']);
    expect(allOf).toMatchObject([
      {
        if: { properties: { fuel: { const: 'Coal' } }, required: ['fuel'] },
        then: { properties: { tonnes: { type: 'number' }, mass: false } },
        else: { properties: { mass: { type: 'number' }, tonnes: false } },
      },
    ]);
    expect(commentIn(allOf[0].then.properties.tonnes)).toMatchObject({ conditionRequired: true });
    expect(site).toMatchObject({ entity: 'NONE', document: { required: ['@context', 'type', 'name'] } });
    expect(Object.keys($defs as object)).toEqual([site?.iri]);
  });

  it('has conditions of any depth, and booleans as spreadsheets write them', () => {
    const { schemas, findings } = imported(
      project(
        field('Enum', undefined, 'fuel'),
        field('Boolean', undefined, 'isNew', true),
        field('String', { formula: 'AND(NOT(EXACT(G5,"Coal")),OR(EXACT(Project!G6,TRUE),G5="Gas"))' }, 'why'),
        field('String', false, 'never'),
      ),
      fuels,
    );
    expect(findings).toEqual([]);
    const { allOf, properties } = schemas[0]?.document as Loose;
    expect(allOf[0].if).toEqual({
      allOf: [
        { not: { properties: { fuel: { const: 'Coal' } }, required: ['fuel'] } },
        {
          anyOf: [
            { properties: { isNew: { const: true } }, required: ['isNew'] },
            { properties: { fuel: { const: 'Gas' } }, required: ['fuel'] },
          ],
        },
      ],
    });
    expect(commentIn(properties.never)).toMatchObject({ hidden: true });
  });

  it('calculates fields by formulas, and compares with the stored results', () => {
    const auto = (formula: string, value: number | string, key: string): Line =>
      field('Auto-Calculate', undefined, key, { formula, value });
    const { schemas, findings } = imported(
      project(
        field('Number', undefined, 'a', 3),
        field('Number', undefined, 'b', 5),
        auto('G5^2', 9, 'square'),
        auto('IF(G5=1,2,3)', 3, 'choice'),
        auto('(G5+G6)*2', 16, 'twice'),
        auto('SUM(G5:G6)+1', 10, 'wrong'),
        auto('G5+#REF!', 0, 'gone'),
        auto('NOW()', 0, 'now'),
      ),
    );
    const { properties } = schemas[0]?.document as Loose;
    const expression = (key: string): unknown => (commentIn(properties[key]) as { expression?: string }).expression;
    expect(['square', 'choice', 'twice', 'wrong'].map(expression)).toEqual([
      '(a ** 2)',
      '((a === 1) ? 2 : 3)',
      '((a + b) * 2)',
      '((a + b) + 1)',
    ]);
    expect(findings).toMatchObject([
      { code: 'FORMULA_DIFFERS', cell: 'G10', severity: 'warning' },
      { code: 'FORMULA_INVALID', cell: 'G11', message: expect.stringContaining('#REF!') },
      { code: 'FORMULA_INVALID', cell: 'G12', message: expect.stringContaining('NOW') },
    ]);
  });

  it('tells everything that is wrong, by cell', () => {
    const { findings } = imported(
      sheetOf('Form', [
        [],
        ['Required Field', 'Field Type', 'Parameter', 'Visibility', 'Question', 'Allow Multiple Answers', 'Key'],
        ['Yes', 'Enum', 'Colours', undefined, 'Colour', 'No', 'colour'],
        ['Yes', 'Numbr', undefined, undefined, 'Size', 'No', 'size'],
        ['Yes', 'String', undefined, { formula: 'G3>3' }, 'A', 'No', 'a b'],
        ['Yes', 'String', undefined, { formula: 'EXACT(A1,"x")' }, 'B', 'No', 'colour'],
        ['Yes', 'String', undefined, { formula: 'G3>3' }, 'C', 'No', '__proto__'],
        ['Yes', 'String', undefined, { formula: 'IF(G3,1,2)' }, 'D', 'No', 'd'],
      ]),
    );
    expect(findings.map(({ code, cell }) => [code, cell])).toEqual([
      ['COLUMN_MISSING', 'A2'],
      ['NAME_MISSING', 'A1'],
      ['KEY_INVALID', 'G5'],
      ['FIELD_DUPLICATE', 'G6'],
      ['KEY_INVALID', 'G7'],
      ['CONDITION_INVALID', 'D8'],
      ['LIST_UNKNOWN', 'C3'],
      ['TYPE_UNKNOWN', 'B4'],
    ]);
  });

  const grouped = (level: number, line: Line) => ({ level, line });
  /** Rows that are grouped as deep as `level` says. */
  const withGroups = (...lines: { readonly level: number; readonly line: Line }[]): Sheet => {
    const { name, rows } = project(...lines.map(({ line }) => line));
    return { name, rows: rows.map((row, index) => ({ ...row, level: lines[index - 4]?.level ?? 0 })) };
  };
  const part = (key: string, ...more: Line): Line => {
    const [parameter, question = key] = more;
    return ['No', 'Sub-Schema', parameter, undefined, question, 'No', undefined, undefined, undefined, key];
  };

  it('has nested schemas in the rows that are grouped below a field, to any depth', () => {
    const { schemas, findings } = imported(
      withGroups(
        grouped(0, field('String', undefined, 'before')),
        grouped(0, part('site', 'Site')),
        grouped(1, field('Boolean', undefined, 'isOpen', true)),
        grouped(1, field('String', { formula: 'EXACT(G7,TRUE)' }, 'name')),
        grouped(1, part('owner', undefined, 'Owner')),
        grouped(2, field('String', undefined, 'name')),
        grouped(0, field('String', undefined, 'after')),
        grouped(0, part('other', 'Site')),
        grouped(1, field('Boolean', undefined, 'isOpen')),
        grouped(1, field('String', undefined, 'name')),
        grouped(1, part('owner', undefined, 'Owner')),
      ),
    );
    expect(findings).toEqual([]);
    const own = (schema?: PolicySchema): Loose =>
      Object.fromEntries(
        Object.entries((schema?.document['properties'] ?? {}) as Loose).filter(
          ([key]) => !['@context', 'type', 'id', 'policyId', 'ref', 'guardianVersion'].includes(key),
        ),
      );
    expect(schemas.map((schema) => [schema.name, schema.entity, Object.keys(own(schema))])).toEqual([
      ['Project form', 'VC', ['before', 'site', 'after', 'other']],
      ['Owner', 'NONE', ['name']],
      ['Site', 'NONE', ['isOpen', 'name', 'owner']],
    ]);
    const [form, owner, site] = schemas;
    expect(own(form)).toMatchObject({ site: { $ref: site?.iri }, other: { $ref: site?.iri } });
    expect(own(site)).toMatchObject({ owner: { $ref: owner?.iri } });
    expect((site?.document as Loose).allOf).toMatchObject([{ if: { properties: { isOpen: { const: true } } } }]);
    expect(Object.keys((form?.document as Loose).$defs as object).sort()).toEqual([owner?.iri, site?.iri].sort());
  });

  it('does not read the rows below a reference, which are copies of those of its sheet', () => {
    const { schemas, findings } = imported(
      withGroups(grouped(0, field('Place', undefined, 'place')), grouped(1, field('String', undefined, 'street'))),
      sheetOf('Place', [['Place'], titles, field('String', undefined, 'street')]),
    );
    expect(findings).toEqual([]);
    expect(schemas[0]?.document['properties']).not.toHaveProperty('street');
  });

  it('tells by cell which rows are grouped wrongly', () => {
    const { schemas, findings } = imported(
      withGroups(
        grouped(1, field('String', undefined, 'first')),
        grouped(0, field('String', undefined, 'plain')),
        grouped(1, field('String', undefined, 'below')),
        grouped(0, part('site', 'Site')),
        grouped(2, field('Number', undefined, 'size')),
        grouped(1, field('String', { formula: 'EXACT(G6,"x")' }, 'far')),
        grouped(0, part('again', 'Site')),
        grouped(1, field('String', undefined, 'different')),
        grouped(0, part('', '', '')),
        grouped(1, field('String', undefined, 'nameless')),
      ),
    );
    expect(findings.map(({ code, cell, severity }) => [code, cell, severity])).toEqual([
      ['GROUP_INVALID', 'A5', 'error'],
      ['GROUP_INVALID', 'A9', 'error'],
      ['GROUP_INVALID', 'B6', 'error'],
      ['CONDITION_INVALID', 'D10', 'error'],
      ['SCHEMA_DUPLICATE', 'B11', 'warning'],
      ['NAME_MISSING', 'B13', 'error'],
      ['TYPE_UNKNOWN', 'B13', 'error'],
    ]);
    expect(findings[3]?.message).toContain('G6 is not the answer of a field of the same schema');
    expect(schemas[0]?.document['properties']).not.toHaveProperty('below');
  });

  it('compares in conditions with constants of the type of the field', () => {
    const { schemas, findings } = imported(
      project(
        field('Number', undefined, 'size', 3),
        field('String', undefined, 'code', '7'),
        field('Boolean', undefined, 'isNew', true),
        field('Place', undefined, 'place'),
        field('String', { formula: 'EXACT(G5,"3")' }, 'a'),
        field('String', { formula: 'G6=7' }, 'b'),
        field('String', { formula: 'NOT(EXACT(G7,"true"))' }, 'c'),
        field('String', { formula: 'AND(G5=3,G6="7")' }, 'd'),
        field('String', { formula: 'EXACT(G5,"many")' }, 'e'),
        field('String', { formula: 'G7=1' }, 'f'),
        field('String', { formula: 'G8="x"' }, 'g'),
      ),
      sheetOf('Place', [['Place'], titles, field('String', undefined, 'street')]),
    );
    expect(findings.map(({ code, cell }) => [code, cell])).toEqual([
      ['CONDITION_INVALID', 'D13'],
      ['CONDITION_INVALID', 'D14'],
      ['CONDITION_INVALID', 'D15'],
    ]);
    const { allOf } = schemas[0]?.document as Loose;
    const test = (key: string, value: unknown) => ({ properties: { [key]: { const: value } }, required: [key] });
    expect((allOf as Loose[]).map(({ if: each }) => each as unknown)).toEqual([
      test('size', 3),
      test('code', '7'),
      test('isNew', true),
      { allOf: [test('size', 3), test('code', '7')] },
    ]);
  });

  it('has its titles in the first row whose first cell is one, whatever the values of facts are', () => {
    const { schemas, findings } = imported(
      sheetOf('Project', [['Project form'], ['Description', 'Key'], titles, field('String', undefined, 'name')]),
    );
    expect(findings).toEqual([]);
    expect(schemas[0]).toMatchObject({ name: 'Project form', description: 'Key' });
    expect(schemas[0]?.document['properties']).toHaveProperty('name');
  });

  it('names fields without a key after their question', () => {
    const line: Line = ['No', 'String', undefined, undefined, 'Name of the site?', 'No'];
    const { schemas } = imported(project(line, line));
    expect(Object.keys(schemas[0]?.document['properties'] as object).slice(-2)).toEqual([
      'nameOfTheSite',
      'nameOfTheSite2',
    ]);
  });
});

/** The schemas of each policy that the environment names. */
const folders = ['BLOCKWORK_REAL_POLICIES', 'BLOCKWORK_POLICY_LIBRARY'].flatMap((name) => {
  const folder = process.env[name];
  return folder === undefined ? [] : [name === 'BLOCKWORK_REAL_POLICIES' ? folder : join(folder, 'policies')];
});
const policies = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.policy'))
    .map((file) => join(folder, file)),
);

function schemasOf(path: string): PolicySchema[] {
  const { schemas } = writtenAsJson(readFileSync(path)).policy;
  const all = (schemas ?? []) as PolicySchema[];
  return all.filter(({ document }) => typeof document === 'object');
}

const newIri = (): string => '#new';
const throughFile = (workbook: Workbook): Workbook => readWorkbook(writeWorkbook(workbook));

describe.each(policies)('%s', (path) => {
  it('comes back from a workbook as it was', () => {
    const schemas = schemasOf(path);
    const { schemas: again, findings } = importSchemas(throughFile(exportSchemas(schemas)), { newIri });
    expect(JSON.stringify(again)).toBe(JSON.stringify(schemas));
    const unexpected = findings.filter(({ code }) => code !== 'KEY_INVALID' && code !== 'TYPE_UNKNOWN');
    expect(unexpected).toEqual([]);
    expect(previewImport(schemas, again).every(({ change }) => change === 'same')).toBe(true);
  });
});

/** Of a field that comes back from a workbook without the hidden sheet: what has no column, or another form there. */
function differences(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    const [a, b] = [before[name], after[name]];
    if (JSON.stringify(a) === JSON.stringify(b)) return [];
    if (
      name === 'enum' &&
      Array.isArray(a) &&
      JSON.stringify(a.filter((value) => value !== '').map(String)) === JSON.stringify(b)
    )
      return ['choice that is an empty text, or no text'];
    const isNested = name === 'items' && typeof a === 'object' && typeof b === 'object';
    return isNested ? differences(a as Record<string, unknown>, b as Record<string, unknown>) : [name];
  });
}

describe.each(policies)('%s without the hidden sheet', (path) => {
  it('keeps the fields, their types, choices and questions', () => {
    const schemas = schemasOf(path);
    const { sheets } = throughFile(exportSchemas(schemas));
    const iris = schemas.map(({ iri }) => iri);
    const { schemas: again } = importSchemas(
      { sheets: sheets.filter(({ hidden }) => hidden !== true) },
      { newIri: () => iris.shift() ?? '' },
    );
    const kinds = new Set<string>();
    schemas.forEach(({ document }, index) => {
      const [before, after] = [document, again[index]?.document].map((each) => (each?.['properties'] ?? {}) as Loose);
      for (const [key, property] of Object.entries(before ?? {})) {
        if (['@context', 'type', 'id', 'policyId', 'ref', 'guardianVersion'].includes(key)) continue;
        const own = after?.[key] as Record<string, unknown> | undefined;
        if (own === undefined) kinds.add(`field ${key}`);
        else for (const kind of differences(property as Record<string, unknown>, own)) kinds.add(kind);
      }
    });
    const choice = 'choice that is an empty text, or no text';
    const members = ['title', '$comment', 'readOnly', 'examples', 'default', 'pattern', choice];
    expect([...kinds].filter((kind) => !members.includes(kind))).toEqual([]);
  });
});

it('changes what a row changes, and nothing else', () => {
  const [path] = policies.filter((each) => each.includes('irec-5-group'));
  if (path === undefined) return;
  const schemas = schemasOf(path);
  const workbook = throughFile(exportSchemas(schemas));
  const [sheet] = workbook.sheets;
  const question = sheet?.rows[4];
  const rows = sheet?.rows.map((row) =>
    row === question ? { ...row, cells: new Map([...row.cells, ['E', { value: 'Another question' }]]) } : row,
  );
  const sheets = workbook.sheets.map((each) => (each === sheet ? { ...each, rows: rows ?? [] } : each));
  const { schemas: again } = importSchemas({ sheets }, { newIri });
  const key = String(question?.cells.get('J')?.value);
  const changes = previewImport(schemas, again).filter(({ change }) => change === 'changed');
  expect(changes[0]).toMatchObject({ iri: schemas[0]?.iri, added: [], removed: [], changed: [key] });
});
