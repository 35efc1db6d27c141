/** The operations in a policy's OpenAPI document, with a command line for each. */

export interface BlockOperation {
  readonly id: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly roles: readonly string[];
  /** JSON Schema; `undefined` for a read. */
  readonly takes: unknown;
  /** JSON Schema; `undefined` if the response has none. */
  readonly shows: unknown;
}

type Facts = Readonly<Record<string, unknown>>;

const facts = (value: unknown): Facts =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Facts) : {};
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const schemaIn = (content: unknown): unknown => facts(facts(facts(content)['content'])['application/json'])['schema'];

/** In document order, which follows the policy's blocks; reads before sends. */
export function operationsIn(document: unknown): BlockOperation[] {
  return Object.entries(facts(facts(document)['paths'])).flatMap(([path, methods]) =>
    (['get', 'post'] as const).flatMap((method) => {
      const operation = facts(methods)[method];
      if (operation === undefined) return [];
      const { operationId, summary, description, requestBody, responses, 'x-roles': roles } = facts(operation);
      return {
        id: text(operationId),
        method: method === 'get' ? ('GET' as const) : ('POST' as const),
        path,
        title: text(summary),
        description: text(description),
        roles: Array.isArray(roles) ? roles.map(String) : [],
        takes: schemaIn(requestBody),
        shows: schemaIn(facts(responses)['200']),
      };
    }),
  );
}

/** Quotes for a POSIX shell, without expansion. */
const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** The token is a shell variable, so the command can be shared safely. */
export function curlLine({ method, path, takes }: BlockOperation, serverUrl: string, document: unknown): string {
  const words = ['curl', '-H "Authorization: Bearer $BLOCKWORK_TOKEN"'];
  if (method === 'POST') {
    words.push(`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(sampleOf(takes, document)))}`);
  }
  return [...words, quoted(`${serverUrl}${path}`)].join(' ');
}

/** Maximum depth of nested schemas, which can be recursive. */
const DEPTH = 8;

/** A placeholder value with the shape of the schema, not necessarily valid. */
export function sampleOf(schema: unknown, document: unknown, depth = 0): unknown {
  const {
    $ref,
    type,
    properties,
    items,
    enum: choices,
    const: fixed,
    default: given,
    anyOf,
    oneOf,
    allOf,
  } = facts(schema);
  if (depth > DEPTH) return null;
  const below = (inner: unknown): unknown => sampleOf(inner, document, depth + 1);
  if (typeof $ref === 'string') return below(resolved($ref, document));
  if (fixed !== undefined) return fixed;
  if (given !== undefined) return given;
  if (Array.isArray(choices)) return (choices as unknown[])[0] ?? null;
  for (const list of [anyOf, oneOf, allOf]) if (Array.isArray(list) && properties === undefined) return below(list[0]);
  const kind: unknown = Array.isArray(type) ? type[0] : type;
  if (kind === 'object' || properties !== undefined) {
    return Object.fromEntries(Object.entries(facts(properties)).map(([name, inner]) => [name, below(inner)]));
  }
  if (kind === 'array') return items === undefined ? [] : [below(items)];
  if (kind === undefined) return {};
  return typeof kind === 'string' ? (plain[kind] ?? null) : null;
}

const plain: Readonly<Record<string, unknown>> = { string: '', number: 0, integer: 0, boolean: false };

/** A JSON pointer into the document. */
const resolved = ($ref: string, document: unknown): unknown =>
  $ref
    .replace(/^#\/?/, '')
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, step) => (Object.hasOwn(facts(value), step) ? facts(value)[step] : undefined), document);
