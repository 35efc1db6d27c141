/** Requests of a hostile member: of any operation of the OpenAPI document, with odd values, of others, huge, or several at once. */
import { openApiDocument } from '@blockwork/contract';
import fc from 'fast-check';
import { fitting, oddities, type JsonSchema } from './fitting.js';
import { changed, oddValue } from './odd-values.js';

export interface Attack {
  readonly operation: string;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly as: string;
  readonly type: string;
  readonly body: string | undefined;
  /** How many of it are sent at once. */
  readonly together: number;
}

/** What there is to attack: values of path parameters by name, and bodies that are taken, by operation. */
export interface Targets {
  readonly params: Readonly<Record<string, readonly string[]>>;
  readonly bodies: Readonly<Record<string, readonly unknown[]>>;
  readonly callers: readonly string[];
}

interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema?: JsonSchema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: JsonSchema }>> };
}

/** A stream ends only with its time. */
const streams = ['events', 'policyEvents'];

const operations = Object.entries(openApiDocument().paths as Record<string, Record<string, Operation>>).flatMap(
  ([path, methods]) =>
    Object.entries(methods)
      .filter(([, { operationId = '' }]) => operationId !== '' && !streams.includes(operationId))
      .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

export function attacksOn(targets: Targets): fc.Arbitrary<Attack> {
  const sends = operations.filter(({ operation }) => operation.requestBody !== undefined);
  const any = fc.constantFrom(...operations);
  // Those that change something, more often.
  return fc.oneof(any, fc.constantFrom(...sends)).chain((chosen) => attackBy(chosen, targets));
}

function attackBy({ path, method, operation }: (typeof operations)[number], targets: Targets): fc.Arbitrary<Attack> {
  const { operationId = '', parameters = [], requestBody } = operation;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const params = fc.tuple(...names.map((name) => paramOf(targets.params[name] ?? [])));
  const queried = parameters.filter((each) => each.in === 'query' && each.name !== 'timeout');
  const query = fc.array(
    fc.tuple(
      fc.constantFrom('page', ...queried.map(({ name }) => name)),
      fc.oneof(fc.nat(20).map(String), fc.constantFrom(...oddities), fc.string({ maxLength: 10 })),
    ),
    { maxLength: 2 },
  );
  const types = Object.keys(requestBody?.content ?? {});
  return fc
    .record({
      given: params,
      query,
      as: fc.constantFrom(...targets.callers),
      type: fc.oneof(
        { weight: 9, arbitrary: fc.constant(types[0] ?? 'application/json') },
        fc.constantFrom('text/xml', ''),
      ),
      body: requestBody === undefined ? fc.constant(undefined) : bodyOf(operationId, requestBody.content, targets),
      together: fc.constantFrom(1, 1, 1, 2, 5),
    })
    .map(({ given, query: asked, ...rest }) => {
      const filled = names.reduce((text, name, at) => text.replace(`{${name}}`, encode(given[at] ?? '')), path);
      const search = asked.length === 0 ? '' : `?${new URLSearchParams(asked).toString()}`;
      return { operation: operationId, method, path: filled + search, ...rest };
    });
}

/** Stands for one of the ids in earlier answers, see `filledIn`. */
const someId = fc.nat(999).map((at) => `~${String(at)}~`);

/** The text of a request with ids from earlier answers. */
export const filledIn = (text: string, ids: readonly string[]): string =>
  text.replace(/~(\d+)~/g, (_, at: string) => ids[Number(at) % Math.max(1, ids.length)] ?? 'none');

const encode = (text: string): string => encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd'));

function paramOf(values: readonly string[]): fc.Arbitrary<string> {
  const others = fc.oneof(fc.constantFrom(...oddities), fc.string({ minLength: 1, maxLength: 20 }));
  const usable = others.filter((text) => !/^\.+$/.test(text));
  const seen = { weight: values.length === 0 ? 6 : 2, arbitrary: someId };
  if (values.length === 0) return fc.oneof(seen, usable);
  return fc.oneof({ weight: 7, arbitrary: fc.constantFrom(...values) }, seen, usable);
}

type Content = NonNullable<Operation['requestBody']>['content'];

function bodyOf(operationId: string, content: Content, { bodies }: Targets): fc.Arbitrary<string> {
  const good = bodies[operationId] ?? [];
  const schema = content['application/json']?.schema ?? true;
  const json = fc.oneof(
    ...(good.length === 0 ? [] : [{ weight: 6, arbitrary: fc.constantFrom(...good).chain(changed) }]),
    { weight: 2, arbitrary: fitting(schema).chain(changed) },
    someId.map((id) => ({ id, ref: id, document: { id, ref: id }, messageId: id, uuid: id })),
    oddValue,
  );
  return fc.oneof({ weight: 12, arbitrary: json.map((value) => JSON.stringify(value)) }, fc.constantFrom(...oddBodies));
}

const oddBodies = [
  '',
  '{',
  '"',
  '{"a":1}}',
  '['.repeat(50_000),
  `${'{"config":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
  `"${'y'.repeat(3_000_000)}"`,
  '\u0000',
  'PK\u0003\u0004',
];
