/** Fields and conditions of a schema: read, changed, written, and told in words. */
import {
  changeField,
  comparison,
  emptyDocument,
  fieldTypeNames,
  keywordsOf,
  newField,
  readField,
  readKeywords,
  readSchema,
  removeField,
  sentenceOf,
  withType,
  wordsOf,
  writeField,
  writeSchema,
  type Comparison,
  type Condition,
  type ConditionRule,
  type FieldType,
  type Json,
  type SchemaField,
  type SchemaModel,
} from '@blockwork/contract/schema-model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const empty = readSchema(emptyDocument('#site', 'Site', 'What a site says', 'VC'));
const asking = (key: string, isRequired = false) => ({ key, isRequired });
const when = (test: Condition, then: readonly string[], otherwise: readonly string[] = []): ConditionRule => ({
  kind: 'condition',
  if: test,
  then: then.map((key) => asking(key)),
  otherwise: otherwise.map((key) => asking(key)),
});
const energy: SchemaModel = {
  ...empty,
  fields: [
    { ...newField('technology', 'Technology', 'Enum'), choices: ['Solar', 'Wind', 'Coal'], isRequired: true },
    { ...newField('capacity', 'Capacity', 'Number'), unit: 'kW', unitSystem: 'postfix', bounds: { minimum: 0 } },
    newField('mass', 'Mass', 'Number'),
  ],
  rules: [
    {
      ...when(
        { kind: 'any', of: [comparison('technology', 'Solar'), comparison('technology', 'Wind')] },
        ['capacity'],
        ['mass'],
      ),
      then: [asking('capacity', true)],
    },
  ],
};

const facts = ({ fields, rules, iri, name, description }: SchemaModel): unknown => ({
  ...{ iri, name, description },
  fields: fields.map(({ source: _, ...field }) => field),
  rules: rules.map(({ source: _, ...rule }) => rule),
});

describe('a schema', () => {
  it('is written as the engine reads it: conditions demand what they ask for, and forbid what the other branch asks for', () => {
    const document = writeSchema(energy);
    expect(document).toMatchObject({
      $id: '#site',
      additionalProperties: false,
      required: ['@context', 'type', 'policyId', 'technology'],
      allOf: [
        {
          if: {
            anyOf: [
              { properties: { technology: { const: 'Solar' } }, required: ['technology'] },
              { properties: { technology: { const: 'Wind' } }, required: ['technology'] },
            ],
          },
          then: { properties: { capacity: { type: 'number', minimum: 0 }, mass: false } },
          else: { properties: { mass: { type: 'number' }, capacity: false } },
        },
      ],
    });
    expect(Object.keys(document['properties'] as Json).slice(3, 6)).toEqual(['technology', 'capacity', 'mass']);
    expect(JSON.stringify(document)).toContain('\\"conditionRequired\\":true');
  });

  it('is the same when it is read again', () => {
    const again = readSchema(writeSchema(energy));
    expect(facts(again)).toEqual({
      ...(facts(energy) as Json),
      fields: (facts({ ...energy, fields: requiredThere(energy) }) as Json)['fields'],
    });
    expect(writeSchema(again)).toBe(again.source);
  });

  it('with a field moved has its order in the form and in the document', () => {
    const model = readSchema(writeSchema(energy));
    const [first, ...others] = model.fields;
    const moved = readSchema(writeSchema({ ...model, fields: first === undefined ? [] : [...others, first] }));
    expect(moved.fields.map(({ key }) => key)).toEqual(['capacity', 'mass', 'technology']);
    expect(moved.rules).toHaveLength(1);
  });

  it('without a field has no condition left that asks for it, and others keep their fields', () => {
    const model = readSchema(writeSchema(energy));
    const without = (...keys: string[]): SchemaModel =>
      readSchema(writeSchema({ ...model, fields: model.fields.filter(({ key }) => !keys.includes(key)) }));
    expect(without('mass').rules).toMatchObject([{ then: [{ key: 'capacity' }], otherwise: [] }]);
    expect(without('mass', 'capacity').rules).toEqual([]);
  });

  it('requires a field where its condition asks for it, and everywhere again without the condition', () => {
    const plain = readSchema(writeSchema({ ...energy, rules: [], fields: requiredThere(energy) }));
    expect(plain.source['required']).toContain('capacity');
    const rules = energy.rules.map((rule) => ({ ...rule, then: [asking('capacity', true)] }));
    const model = readSchema(writeSchema({ ...plain, rules }));
    expect(model.source['required']).not.toContain('capacity');
    expect(writeSchema({ ...model, rules: [] })['required']).toContain('capacity');
  });

  it('with a field renamed, required or removed has conditions that follow', () => {
    const model = readSchema(writeSchema(energy));
    const [technology, , mass] = model.fields;
    if (technology === undefined || mass === undefined) throw new Error('There are three fields.');
    const renamed = readSchema(writeSchema(changeField(model, 'technology', { ...technology, key: 'kind' })));
    const compared = (key: string, value: string) => ({ kind: 'is', path: [key], value });
    expect(renamed.rules).toMatchObject([{ if: { of: [compared('kind', 'Solar'), compared('kind', 'Wind')] } }]);
    const required = readSchema(writeSchema(changeField(model, 'mass', { ...mass, key: 'weight', isRequired: true })));
    expect(required.rules).toMatchObject([{ otherwise: [{ key: 'weight', isRequired: true }] }]);
    expect(required.source['required']).not.toContain('weight');
    expect(removeField(model, 'mass').rules).toMatchObject([{ otherwise: [] }]);
    expect(removeField(model, 'technology').rules).toEqual([]);
  });

  it('keeps what is no field and no condition of its own', () => {
    const document = {
      ...writeSchema(energy),
      $defs: { '#other': { type: 'object' } },
      allOf: [{ if: { properties: { a: { minimum: 3 } } }, then: { required: ['a'] } }, { minProperties: 1 }],
      'x-note': 1,
    };
    const model = readSchema(document);
    expect(model.rules.map(({ kind }) => kind)).toEqual(['kept', 'kept']);
    const renamed = writeSchema({ ...model, name: 'Place' });
    expect(renamed).toEqual({ ...document, title: 'Place' });
  });
});

/** A field that a condition demands is required where it is read. */
const requiredThere = ({ fields }: SchemaModel): SchemaField[] =>
  fields.map((field) => (field.key === 'capacity' ? { ...field, isRequired: true } : field));

describe('a field', () => {
  const field = fc.record({
    key: fc.constantFrom('a', 'field1', 'ümlaut'),
    question: fc.string({ minLength: 1 }),
    type: fc.constantFrom(...fieldTypeNames.filter((name) => name !== 'Reference' && name !== 'Other')),
    isList: fc.boolean(),
    isHidden: fc.boolean(),
    isPrivate: fc.boolean(),
    unit: fc.option(fc.string(), { nil: undefined }),
    example: fc.option(fc.jsonValue(), { nil: undefined }),
    minimum: fc.option(fc.integer(), { nil: undefined }),
  });

  it('of any type is the same through its property', () => {
    fc.assert(
      fc.property(field, ({ key, question, type, unit, example, minimum, ...flags }) => {
        const field: SchemaField = {
          ...newField(key, question, type),
          ...flags,
          bounds: { ...(minimum !== undefined && { minimum }), ...(flags.isList && { minItems: 1 }) },
          ...(unit !== undefined && { unit }),
          ...(example !== undefined && { examples: [example] }),
          ...(type === 'Enum' && { choices: ['x', 2] }),
        };
        const { source, kept: original, ...read } = readField(key, writeField(field), field.isRequired);
        const { kept: _, ...meant } = field;
        expect(read).toEqual(meant);
        expect([original, typeof source]).toEqual([field.kept, 'object']);
      }),
    );
  });

  it('of another type loses what only the old one could say', () => {
    const property = {
      ...{ title: 'fuel', description: 'Fuel', type: 'string', enum: ['Coal'], default: 'Coal', 'x-note': 1 },
      $comment: JSON.stringify({ term: 'fuel', customType: 'enum', enumName: 'Fuel', property: 'fuel.kind' }),
    };
    const changed = withType(readField('fuel', property, false), 'Number');
    const written = writeField(changed);
    expect(written).toEqual({
      ...{ title: 'fuel', description: 'Fuel', type: 'number' },
      $comment: JSON.stringify({ term: 'fuel', '@id': 'https://www.schema.org/text', property: 'fuel.kind' }),
    });
    expect(readField('fuel', written, false).type satisfies FieldType).toBe('Number');
  });

  it('under another key says so in its comment', () => {
    const before = readField('a', writeField(newField('a', 'A')), false);
    expect(JSON.parse(String(writeField({ ...before, key: 'b' })['$comment']))).toMatchObject({ term: 'b' });
  });
});

describe('a condition', () => {
  const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 3 },
      fc
        .record({
          path: fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 }),
          value: fc.oneof(fc.string(), fc.integer(), fc.boolean()),
          of: fc.constantFrom('each' as const, 'any' as const, undefined),
          orUnanswered: fc.constantFrom(true as const, undefined),
        })
        .map(({ path, value, of, orUnanswered }): Comparison => ({
          ...{ kind: 'is', path, value },
          ...(of !== undefined && { of }),
          ...(orUnanswered !== undefined && { orUnanswered }),
        })),
      fc.record({
        kind: fc.constantFrom('all' as const, 'any' as const),
        of: fc.array(tie('condition'), { minLength: 1, maxLength: 3 }),
      }),
      fc.record({ kind: fc.constant('not' as const), of: tie('condition') }),
    ),
  }));

  it('is the same through the keywords of JSON Schema', () => {
    fc.assert(
      fc.property(condition, (each) => {
        expect(readKeywords(keywordsOf(each))).toEqual(each);
      }),
      { numRuns: 500 },
    );
  });

  it('with several properties is one in which all hold', () => {
    const test = { properties: { a: { const: 1 }, b: { const: 2 } }, required: ['a', 'b'] };
    expect(readKeywords(test)).toEqual({ kind: 'all', of: [comparison('a', 1), comparison('b', 2)] });
  });

  it.each([
    {},
    { properties: {} },
    { properties: { a: { minimum: 3 } } },
    { properties: { a: { const: null } } },
    { properties: { a: { const: 1 } }, required: ['b'] },
    { properties: { a: { properties: { b: { const: 1 } }, required: ['b'] } } },
    { not: { enum: [1] } },
    { allOf: [] },
    { anyOf: [{}], allOf: [{}] },
  ])('%j is none', (test) => {
    expect(readKeywords(test)).toBeUndefined();
  });

  const name = (path: readonly string[]): string =>
    path.map((key) => key.charAt(0).toUpperCase() + key.slice(1)).join(' of ');
  const solar = comparison('technology', 'Solar');
  const wind = comparison('technology', 'Wind');
  it.each<[ConditionRule, string]>([
    [when(solar, ['capacity']), 'When Technology is Solar, ask Capacity.'],
    [
      when({ kind: 'any', of: [solar, wind] }, ['capacity', 'area'], ['mass']),
      'When Technology is Solar or Wind, ask Capacity and Area; otherwise ask Mass.',
    ],
    [when({ kind: 'not', of: solar }, ['mass']), 'When Technology is not Solar, ask Mass.'],
    [when(comparison('grid', true), [], ['mass']), 'When Grid is Yes, ask nothing more; otherwise ask Mass.'],
    [
      when({ kind: 'all', of: [{ kind: 'any', of: [solar, comparison('grid', true)] }, comparison('size', 3)] }, [
        'mass',
      ]),
      'When (Technology is Solar or Grid is Yes) and Size is 3, ask Mass.',
    ],
    [when({ ...solar, of: 'each' }, ['mass']), 'When every answer of Technology is Solar, ask Mass.'],
    [when({ ...solar, of: 'any' }, ['mass']), 'When Technology has the answer Solar, ask Mass.'],
    [when({ ...solar, orUnanswered: true }, ['mass']), 'When Technology is Solar or not answered, ask Mass.'],
    [
      when({ kind: 'not', of: { kind: 'all', of: [solar, comparison('size', 3)] } }, ['mass']),
      'When it is not so that Technology is Solar and Size is 3, ask Mass.',
    ],
  ])('is a sentence: %#', (rule, sentence) => {
    expect(sentenceOf(rule, name)).toBe(sentence);
    expect(sentence).toContain(wordsOf(rule.if, name));
  });
});
