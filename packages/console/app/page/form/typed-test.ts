/** Tests of conditions with constants in the type of their field, which editors of schemas may write as text. */

type Schema = Record<string, unknown>;
type NestedSchema = (field: unknown) => Schema | undefined;

/** `field`: the schema of the value that is tested. */
export function typedTest(test: unknown, field: unknown, nested: NestedSchema): unknown {
  if (!isObject(test)) return test;
  const schema = nested(field) ?? {};
  const fields = isObject(schema['properties']) ? schema['properties'] : {};
  const inner = (word: string, value: unknown): unknown => {
    switch (word) {
      case 'const':
        return typed(value, schema['type']);
      case 'properties':
        return Object.fromEntries(
          Object.entries(value as Schema).map(([name, part]) => [name, typedTest(part, fields[name], nested)]),
        );
      case 'items':
      case 'contains':
        return typedTest(value, schema['items'], nested);
      case 'allOf':
      case 'anyOf':
        return (value as unknown[]).map((part) => typedTest(part, schema, nested));
      case 'not':
        return typedTest(value, schema, nested);
      default:
        return value;
    }
  };
  return Object.fromEntries(Object.entries(test).map(([word, value]) => [word, inner(word, value)]));
}

function typed(value: unknown, type: unknown): unknown {
  if (type === 'string') return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  const text = String(value).trim();
  if (type === 'boolean') return text === 'true' || text === '1' || (text === 'false' || text === '0' ? false : value);
  if (type !== 'number' && type !== 'integer') return value;
  return typeof value === 'string' && text !== '' && Number.isFinite(Number(text)) ? Number(text) : value;
}

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
