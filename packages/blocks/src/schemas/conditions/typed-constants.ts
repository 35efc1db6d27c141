/** Constants of tests in the type of their field: editors of schemas write numbers and truth values as text. */
import { isObject } from '@blockwork/core/block';
import { propertiesOf, resolved } from '../schema-fields.js';
import type { Schema } from './conditional.js';

type Definitions = ReadonlyMap<string, Schema>;

/** `field`: the schema of the value that is tested. */
export function withTypedConstants(test: unknown, field: unknown, definitions: Definitions): unknown {
  if (!isObject(test)) return test;
  const schema = declared(field, definitions);
  const inner = (part: unknown, of: unknown): unknown => withTypedConstants(part, of, definitions);
  const next: Schema = { ...test };
  if ('const' in test) next.const = typed(test.const, schema.type);
  if (Array.isArray(test.enum)) next.enum = test.enum.map((value) => typed(value, schema.type));
  if (isObject(test.properties)) {
    const fields = propertiesOf(schema);
    next.properties = Object.fromEntries(
      Object.entries(test.properties).map(([name, part]) => [
        name,
        inner(part, Object.hasOwn(fields, name) ? fields[name] : undefined),
      ]),
    );
  }
  for (const word of ['items', 'contains']) if (word in test) next[word] = inner(test[word], schema.items);
  for (const word of ['allOf', 'anyOf', 'oneOf']) {
    const parts = test[word];
    if (Array.isArray(parts)) next[word] = parts.map((part) => inner(part, schema));
  }
  if ('not' in test) next.not = inner(test.not, schema);
  return next;
}

function declared(field: unknown, definitions: Definitions): Schema {
  // The `$ref` of a field that has a type is the address of a list of values.
  const schema = isObject(field) && field.type !== undefined ? field : (resolved(field, definitions) ?? {});
  const [first] = Array.isArray(schema.oneOf) ? (schema.oneOf as unknown[]) : [];
  return isObject(first) && schema.type === undefined ? first : schema;
}

function typed(value: unknown, type: unknown): unknown {
  if (type === 'string') return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  if (type === 'boolean') return truth.get(value) ?? value;
  if (type !== 'number' && type !== 'integer') return value;
  if (typeof value !== 'string' || value.trim() === '') return value;
  const number = Number(value);
  return Number.isFinite(number) ? number : value;
}

const truth: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ['true', true],
  ['1', true],
  [1, true],
  ['false', false],
  ['0', false],
  [0, false],
]);
