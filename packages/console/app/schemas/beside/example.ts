/** An example of a document of a schema: its own examples, or values of the types of its fields. */
import { isObject, readSchema, type Json, type SchemaField } from '@blockwork/contract/schema-model';

/** Levels of nested schemas, of which some contain themselves. */
const LEVELS = 5;

const values: Readonly<Record<string, unknown>> = {
  ...{ Number: 1.5, Integer: 1, Boolean: true, Date: '2024-05-01', Time: '12:00:00', DateTime: '2024-05-01T12:00:00Z' },
  ...{ Duration: 'P1D', URL: 'https://example.org/', URI: 'urn:example:1', Email: 'a@example.org' },
  ...{ Image: 'ipfs://example', File: 'ipfs://example', HederaAccount: '0.0.1234' },
};

export function exampleOf(document: Json, definitions: unknown = document['$defs'], level = 0): Json {
  const { fields } = readSchema(document);
  const shown = fields.filter(({ type, isHidden, isCalculated }) => type !== 'Help Text' && !isHidden && !isCalculated);
  return Object.fromEntries(shown.map((field) => [field.key, valueOf(field, definitions, level)]));
}

function valueOf(field: SchemaField, definitions: unknown, level: number): unknown {
  const [example] = field.examples ?? [];
  if (example !== undefined) return example;
  const one = single(field, definitions, level);
  return field.isList ? [one] : one;
}

function single({ type, reference, choices, question }: SchemaField, definitions: unknown, level: number): unknown {
  if (type === 'Reference') {
    const nested: unknown = isObject(definitions) ? definitions[reference ?? ''] : undefined;
    return isObject(nested) && level < LEVELS ? exampleOf(nested, definitions, level + 1) : {};
  }
  return type === 'Enum' ? (choices?.[0] ?? '') : (values[type] ?? question);
}
