import type { JsonObject, SchemaRecord } from '@blockwork/core/block';
import { describe, expect, it } from 'vitest';
import { ADDRESS, FARM, FARM_CONTEXT, farmDocument } from '../../test/farm-schemas.js';
import { formSchema } from './form-schema.js';

const record = (document: JsonObject, source: JsonObject = {}): SchemaRecord => ({
  id: FARM,
  name: 'Farm',
  entity: '',
  status: '',
  document,
  source,
});
type Field = JsonObject & { name: string; fields: Field[] | null };
const fieldsOf = (document: JsonObject): Field[] => formSchema(record(document)).fields as Field[];
const comment = (content: JsonObject): string => JSON.stringify(content);

describe('the schema of a form', () => {
  it('has every text that clients read, and the context of its credentials', () => {
    const shown = formSchema(record(farmDocument, { contextURL: null, context: '{"@context":{}}', more: 1 }));
    expect(shown).toMatchObject({
      iri: FARM,
      type: FARM.slice(1),
      hash: '',
      description: '',
      version: '',
      entity: 'NONE',
      status: 'DRAFT',
      category: 'POLICY',
      sourceVersion: '',
      userDID: null,
      contextURL: `schema:${FARM.slice(1)}`,
      context: { '@context': {} },
      document: farmDocument,
      more: 1,
    });
    expect(formSchema(record({}, { contextURL: FARM_CONTEXT }))).toMatchObject({
      contextURL: FARM_CONTEXT,
      fields: [],
    });
  });

  it('lists its fields without those that the server writes, those of nested schemas within them', () => {
    const fields = fieldsOf(farmDocument);
    expect(fields.map(({ name }) => name)).toEqual(['name', 'area', 'since', 'account', 'address']);
    expect(fields[0]).toEqual({
      name: 'name',
      title: 'name',
      description: 'name',
      type: 'string',
      format: null,
      pattern: null,
      unit: null,
      unitSystem: null,
      property: null,
      isArray: false,
      isRef: false,
      readOnly: false,
      required: true,
      fields: null,
      conditions: null,
      context: null,
      customType: null,
      comment: '{"term":"name","orderPosition":0}',
      examples: null,
      hidden: false,
      autocalculate: false,
      order: -1,
    });
    expect(fields[3]).toMatchObject({ customType: 'hederaAccount', pattern: '^\\d+\\.\\d+\\.\\d+$' });
    expect(fields[4]).toMatchObject({
      type: ADDRESS,
      isRef: true,
      context: { type: ADDRESS.slice(1), context: ['https://ipfs.io/ipfs/address'] },
      fields: [{ name: 'city', required: true }, { name: 'payTo' }],
      conditions: [],
    });
  });

  it('orders fields by position, those without one first', () => {
    const at = (orderPosition: number) => ({ type: 'string', $comment: comment({ orderPosition }) });
    const properties = { c: at(3), first: at(0), a: at(1), none: { type: 'string' }, b: at(2) };
    expect(fieldsOf({ properties }).map(({ name, order }) => [name, order])).toEqual([
      ['first', -1],
      ['none', -1],
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ]);
  });

  it('reads lists, alternatives, enumerations, units and what is hidden or private', () => {
    const fields = fieldsOf({
      properties: {
        list: { type: 'array', title: 'List', items: { type: 'number' } },
        either: { oneOf: [{ type: 'string', format: 'date' }, { type: 'null' }] },
        choice: { type: 'string', enum: ['a', 'b'], $comment: comment({ customType: 'enum', isPrivate: true }) },
        weight: { type: 'number', $comment: comment({ unit: 'kg', unitSystem: 'postfix', hidden: true }) },
        remote: { type: 'string', $ref: 'ipfs://values' },
        odd: { type: 'string', $comment: 'no JSON' },
      },
    });
    expect(fields).toMatchObject([
      { isArray: true, type: 'number', title: 'List' },
      { type: 'string', format: 'date' },
      { enum: ['a', 'b'], customType: 'enum', isPrivate: true },
      { unit: 'kg', unitSystem: 'postfix', hidden: true },
      { remoteLink: 'ipfs://values', isRef: false },
      { customType: null, comment: 'no JSON' },
    ]);
  });

  it('has the conditions under which further fields are asked for', () => {
    const shown = formSchema(
      record({
        properties: { included: { type: 'boolean' } },
        allOf: [
          { if: { properties: { included: { const: false } } }, then: { properties: { why: { type: 'string' } } } },
          { not: {} },
        ],
      }),
    );
    expect(shown.conditions).toMatchObject([
      {
        ifCondition: { field: { name: 'included', type: 'boolean' }, fieldValue: false },
        thenFields: [{ name: 'why' }],
        elseFields: [],
      },
    ]);
  });

  it('ends where schemas contain themselves, are missing, or are too many', () => {
    const inner = {
      $id: '#inner',
      properties: { again: { $ref: '#inner' }, root: { $ref: FARM }, gone: { $ref: '#x' } },
    };
    const [field] = fieldsOf({ $id: FARM, properties: { inner: { $ref: '#inner' } }, $defs: { '#inner': inner } });
    expect(field?.fields).toMatchObject([
      { name: 'again', fields: [] },
      { name: 'root', fields: [] },
      { name: 'gone', fields: [], conditions: [] },
    ]);
    // Each schema has the next one twice: two to the power of the levels, if nothing ended it.
    const level = (n: number) => [
      `#${String(n)}`,
      { properties: { a: { $ref: `#${String(n + 1)}` }, b: { $ref: `#${String(n + 1)}` } } },
    ];
    const $defs = Object.fromEntries(Array.from({ length: 30 }, (_, n) => level(n))) as JsonObject;
    const count = (fields: readonly Field[]): number =>
      fields.reduce((sum, each) => sum + 1 + count(each.fields ?? []), 0);
    expect(count(fieldsOf({ properties: { start: { $ref: '#0' } }, $defs }))).toBeLessThanOrEqual(5000);
  });
});
