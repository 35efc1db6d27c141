/** Values made from the JSON Schemas of requests, and texts that programs trip over. */
import fc from 'fast-check';

export const oddities = [
  '__proto__',
  'constructor',
  ' ',
  '..',
  '%',
  '\u{1F600}',
  'a/b',
  '\u0000',
  'x'.repeat(600),
  '-1',
  '1e9',
];

export type JsonSchema = boolean | (Readonly<Record<string, unknown>> & { readonly anyOf?: readonly JsonSchema[] });

/** Mostly what the schema describes. It need not be exact: what does not fit is to be refused. */
export function fitting(schema: JsonSchema, depth = 0): fc.Arbitrary<unknown> {
  if (typeof schema === 'boolean' || depth > 4) return fc.jsonValue({ maxDepth: 1 });
  const { type, properties, items, required = [] } = schema;
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]));
  const choices = schema.anyOf ?? (schema['oneOf'] as readonly JsonSchema[] | undefined);
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => fitting(choice, depth + 1)));
  if (type === 'object') {
    const members = Object.entries((properties ?? {}) as Record<string, JsonSchema>);
    const requiredKeys = members.map(([name]) => name).filter((name) => (required as string[]).includes(name));
    return fc.record(Object.fromEntries(members.map(([name, member]) => [name, fitting(member, depth + 1)])), {
      requiredKeys,
    });
  }
  if (type === 'array') return fc.array(fitting((items ?? true) as JsonSchema, depth + 1), { maxLength: 3 });
  if (type === 'string')
    return fc.oneof(fc.nat(200).map(String), fc.string({ maxLength: 20 }), fc.constantFrom(...oddities));
  if (type === 'integer' || type === 'number') return fc.oneof(fc.integer(), fc.double({ noNaN: true }));
  if (type === 'boolean') return fc.boolean();
  return type === 'null' ? fc.constant(null) : fc.jsonValue({ maxDepth: 2 });
}
