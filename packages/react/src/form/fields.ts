/** The fields of a form, from the JSON Schema of its documents. */
import { alteredNumber, isExact } from '@blockwork/contract/exact-numbers';
import { refusedKeys, writtenMembers } from '@blockwork/contract/schema-model';
import { valueText } from '../rows.js';

/** The members of a JSON Schema that fields are made of. */
export interface FormSchema {
  readonly $id?: string;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, FormSchema>>;
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly items?: unknown;
  readonly oneOf?: readonly unknown[];
  readonly properties?: Readonly<Record<string, FormSchema>>;
  readonly required?: readonly string[];
  readonly readOnly?: boolean;
}

export type FieldKind = 'text' | 'number' | 'integer' | 'boolean' | 'date' | 'choice' | 'json';

export interface FieldFacts {
  /** Names from the outermost object to the field, joined by dots: the key of the field. */
  readonly path: string;
  readonly names: readonly string[];
  readonly title: string;
  readonly description: string;
  readonly kind: FieldKind;
  readonly isRequired: boolean;
  /** Of a `choice`: what is shown and typed. */
  readonly choices: readonly string[];
  /** What is sent for each of the choices. */
  readonly values: readonly unknown[];
}

/** Objects deeper than this are one field of JSON. */
const DEEPEST = 6;

/** Fields in the order of the schema, those of objects in their place. Members that the server sets are left out. */
export function fieldsOf(schema: FormSchema, hidden: readonly string[] = []): FieldFacts[] {
  return objectFields(schema, schema, []).filter(({ path }) => !hidden.includes(path));
}

function objectFields(root: FormSchema, schema: FormSchema, within: readonly string[]): FieldFacts[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).flatMap(([name, given]) => {
    if (given.readOnly === true || serverFields.has(name) || refusedKeys.includes(name)) return [];
    const member = resolved(root, given);
    const names = [...within, name];
    if (member.properties !== undefined && within.length < DEEPEST) return objectFields(root, member, names);
    const title = given.title ?? member.title ?? name;
    const description = given.description ?? '';
    const values = member.enum ?? [];
    return [
      {
        path: names.join('.'),
        names,
        title,
        description: description === title ? '' : description,
        kind: kindOf(member),
        isRequired: required.has(name),
        choices: values.map(String),
        values,
      },
    ];
  });
}

/** Members of documents that the server sets: a form has no fields for them. */
export const serverFields: ReadonlySet<string> = new Set([...writtenMembers, 'tokenId']);

function resolved({ $defs = {} }: FormSchema, schema: FormSchema): FormSchema {
  const [, name = schema.$ref] = /^#\/\$defs\/(.+)$/.exec(schema.$ref ?? '') ?? [];
  return (name !== undefined && Object.hasOwn($defs, name) ? $defs[name] : undefined) ?? schema;
}

function kindOf({ type, format, enum: choices }: FormSchema): FieldKind {
  if (choices !== undefined) return 'choice';
  if (type === 'string') return format === 'date' ? 'date' : 'text';
  return type === 'number' || type === 'integer' || type === 'boolean' ? type : 'json';
}

/** What was typed into each field, by its path. */
export type Typed = Readonly<Record<string, string>>;

/** `undefined` if nothing was typed. */
export const typedIn = (typed: Typed, { path }: FieldFacts): string | undefined =>
  Object.hasOwn(typed, path) ? typed[path] : undefined;

/**
 * The document that a form begins with, and what was typed. Empty fields are absent; what is no number, or one that reading would alter,
 * stays a text, which the server refuses at its field.
 */
export function documentOf(
  fields: readonly FieldFacts[],
  typed: Typed,
  initial: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const document: Record<string, unknown> = structuredClone(initial);
  for (const field of fields) {
    const text = typedIn(typed, field);
    if (text === undefined || (text === '' && valueIn(initial, field) === undefined)) continue;
    put(document, field.names, text === '' ? undefined : valueOf(field, text));
  }
  return document;
}

/** Fields may be called like something that all objects inherit. */
function put(target: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) target[name] = value;
  else {
    if (!Object.hasOwn(target, name)) target[name] = {};
    put(target[name] as Record<string, unknown>, rest, value);
  }
}

function valueOf({ kind, choices, values }: FieldFacts, text: string): unknown {
  if (kind === 'choice') return choices.includes(text) ? values[choices.indexOf(text)] : text;
  if (kind === 'boolean') return text === 'true';
  if (kind === 'number' || kind === 'integer') return numberOf(text) ?? text;
  return kind === 'json' ? (parsed(text) ?? text) : text;
}

/** `undefined` unless the number is what was typed, to the last digit. */
function numberOf(text: string): number | undefined {
  const literal = /^\s*[-+]?(\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)\s*$/.exec(text)?.[1];
  return literal !== undefined && isExact(literal) ? Number(text) : undefined;
}

function parsed(text: string): unknown {
  try {
    const value = JSON.parse(text) as unknown;
    return alteredNumber(text) === null ? value : undefined;
  } catch {
    return undefined;
  }
}

const valueIn = (document: unknown, { names }: FieldFacts): unknown =>
  names.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Readonly<Record<string, unknown>>)[name]
        : undefined,
    document,
  );

/** What a field shows of a document in which nothing was typed. */
export const textIn = (document: unknown, field: FieldFacts): string => valueText(valueIn(document, field));

/** What the server says of each field, by its path. `details`: JSON pointers into the body that was sent. */
export function problemsOf(
  details: readonly { readonly path: string; readonly message: string }[],
): ReadonlyMap<string, string> {
  return new Map(details.map(({ path, message }) => [namesIn(path).join('.'), message]));
}

/**
 * The names from the outermost object of the document to the field of a problem that the server reports. `pointer`: JSON pointer into the
 * body that was sent, or into its document.
 *
 * @example namesIn('/document/site/name'); // ['site', 'name']
 */
export const namesIn = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .filter((step, at) => !(at === 0 && step === 'document'));
