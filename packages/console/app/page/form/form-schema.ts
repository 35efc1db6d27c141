/** Prepares a credential's JSON Schema for a form: the fields that a user fills in, each with a label. */
import { isPlace, namesIn, serverFields } from '@blockwork/react';
import type { ErrorSchema, RJSFSchema } from '@rjsf/utils';
import { commentOf, withFormConditions, type Schema } from './form-conditions.js';

/** The JSON pointer of a definition; `undefined` for other references, such as the URL of an enumeration. */
type Pointer = (ref: string) => string | undefined;

/** Each document with its conditions in the form that the form library shows. */
const prepared = new WeakMap<RJSFSchema, RJSFSchema>();

export function withConditions(document: RJSFSchema): RJSFSchema {
  const cached = prepared.get(document);
  if (cached !== undefined) return cached;
  const result = withFormConditions(document);
  prepared.set(document, result);
  return result;
}

/** The schema without fields set by the server, at every level, and without the fields in `hidden`. */
export function formSchema(written: RJSFSchema, hidden: readonly string[]): RJSFSchema {
  const document = withConditions(written);
  const definitions = (document['$defs'] ?? {}) as Readonly<Record<string, RJSFSchema>>;
  // References use ids that begin with `#`, which are not JSON pointers.
  const names = Object.keys(definitions);
  const pointer: Pointer = (ref) => {
    const at = names.indexOf(ref);
    return at < 0 ? undefined : `#/definitions/d${String(at)}`;
  };
  const clean = (schema: RJSFSchema, isRoot: boolean): Schema =>
    !isRoot && isPlace(schema) ? { title: schema.title } : withoutServerFields(schema, isRoot ? hidden : [], pointer);
  return {
    ...clean(document, true),
    $defs: undefined,
    $schema: undefined,
    $id: undefined,
    title: undefined,
    description: undefined,
    definitions: Object.fromEntries(names.map((name, at) => [`d${String(at)}`, clean(definitions[name] ?? {}, false)])),
  };
}

function withoutServerFields(schema: RJSFSchema, hidden: readonly string[], pointer: Pointer): Schema {
  const { $id: _id, $comment: _comment, additionalProperties: _additional, ...rest } = schema;
  const { properties = {}, required = [], ...conditions } = shownPart(schema, hidden, pointer);
  return { ...rest, ...conditions, properties, required: required.filter((name) => Object.hasOwn(properties, name)) };
}

/** A schema or a condition, reduced to visible fields. */
function shownPart(schema: RJSFSchema, hidden: readonly string[], pointer: Pointer): Schema {
  const isShown = (name: string, field: unknown): boolean =>
    !serverFields.has(name) && !hidden.includes(name) && (field as { readOnly?: boolean }).readOnly !== true;
  const part: Schema = {};
  const { properties, required, allOf } = schema;
  if (properties !== undefined) {
    part.properties = Object.fromEntries(
      Object.entries(properties)
        .filter(([name, field]) => isShown(name, field))
        .map(([name, field]) => [name, fieldSchema(field as RJSFSchema, pointer)]),
    );
  }
  // Nobody could fill in a field that is not shown.
  const isDemanded = (name: string): boolean =>
    isShown(name, properties?.[name] ?? {}) && commentOf(properties?.[name])['hidden'] !== true;
  if (required !== undefined) part.required = required.filter(isDemanded);
  if (allOf !== undefined) part.allOf = allOf.map((each) => shownPart(each as RJSFSchema, hidden, pointer));
  if (schema.if !== undefined) part.if = schema.if;
  for (const word of ['then', 'else'] as const) {
    const condition = schema[word];
    if (typeof condition === 'object') part[word] = shownPart(condition, hidden, pointer);
  }
  return part;
}

function fieldSchema(field: RJSFSchema, pointer: Pointer): RJSFSchema {
  const { $comment: _comment, $ref, items, oneOf, title, description, properties, ...rest } = field;
  const [only] = (oneOf ?? []) as RJSFSchema[];
  if (only !== undefined) return fieldSchema({ ...rest, title, description, ...only }, pointer);
  const definition = $ref === undefined ? undefined : pointer($ref);
  // The description is the label for users; the title is often only a technical name.
  const label = description ?? title;
  return {
    ...rest,
    ...(properties && { properties: mapped(properties, (each) => fieldSchema(each as RJSFSchema, pointer)) }),
    ...(label !== undefined && { title: label }),
    // Otherwise the description of the referenced schema would be shown too, usually a duplicate.
    ...(definition !== undefined && { $ref: definition, description: '' }),
    ...(typeof items === 'object' && !Array.isArray(items) && { items: fieldSchema(items, pointer) }),
  };
}

const mapped = <Value>(
  values: Readonly<Record<string, unknown>>,
  map: (value: unknown) => Value,
): Record<string, Value> => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));

/** Converts errors by JSON pointer to the form library's error tree. */
export function errorTree(details: readonly { readonly path: string; readonly message: string }[]): ErrorSchema {
  const tree: ErrorSchema = {};
  for (const { path, message } of details) {
    let at: ErrorSchema = tree;
    for (const step of namesIn(path)) at = ownMember(at as Record<string, ErrorSchema>, step);
    at.__errors = [...(at.__errors ?? []), message];
  }
  return tree;
}

/** Fields may be called like something that all objects inherit, `__proto__` among it. */
function ownMember(tree: Record<string, ErrorSchema>, name: string): ErrorSchema {
  const own = Object.getOwnPropertyDescriptor(tree, name)?.value as ErrorSchema | undefined;
  if (own !== undefined) return own;
  const value: ErrorSchema = {};
  Object.defineProperty(tree, name, { value, enumerable: true, writable: true, configurable: true });
  return value;
}
