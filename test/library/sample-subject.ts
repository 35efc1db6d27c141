/** Data that a form accepts, made from its JSON schema. */
import { isObject } from '@blockwork/core/block';
import type { Json, JsonObject } from '@blockwork/core';

/** Every field that a user fills in, with a value of its type; `given` replaces some of them. */
export function sampleSubject(schema: JsonObject, values: JsonObject = {}): JsonObject {
  return { ...objectOf(schema, isObject(schema.$defs) ? schema.$defs : {}), ...values };
}

function objectOf(schema: Record<string, unknown>, definitions: Record<string, unknown>): JsonObject {
  const properties = isObject(schema.properties) ? schema.properties : {};
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([, property]) => !(isObject(property) && property.readOnly === true))
      .map(([name, property]) => [name, valueOf(property, definitions)]),
  );
}

const texts: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  duration: 'P1Y',
  email: 'alice@example.org',
  url: 'https://example.org/',
  uri: 'https://example.org/',
};

/** One of them fits each pattern that policies use. */
const patterned = ['12345', '0.0.12345', 'ipfs://sample', 'https://ipfs.io/ipfs/sample'];

function valueOf(property: unknown, definitions: Record<string, unknown>): Json {
  if (!isObject(property)) return null;
  const { $ref, type, items, format, pattern } = property;
  const choices: unknown = property.enum;
  if (Array.isArray(choices)) return choices[0] as Json;
  // The value of a list that is kept elsewhere refers to the address of that.
  const nested = typeof $ref === 'string' ? definitions[$ref] : undefined;
  if (isObject(nested)) return objectOf(nested, definitions);
  if (type === 'array') return [valueOf(items, definitions)];
  if (type === 'boolean') return true;
  if (type === 'number' || type === 'integer') return 1;
  if (type === 'object') return {};
  if (typeof pattern === 'string') return patterned.find((text) => new RegExp(pattern).test(text)) ?? 'sample';
  return texts[String(format)] ?? 'sample';
}
