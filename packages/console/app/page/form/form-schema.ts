/** Prepares a credential's JSON Schema for a form: the fields that a user fills in, each with a label. */
import type { ErrorSchema, RJSFSchema, UiSchema } from '@rjsf/utils';

/** What the server fills in. */
export const serverFields: ReadonlySet<string> = new Set([
  '@context',
  'type',
  'id',
  'policyId',
  'ref',
  'guardianVersion',
  'tokenId',
]);

type Schema = Record<string, unknown> & RJSFSchema;

/** Where a definition is; `undefined` for what is none, such as the address of a list of values. */
type Pointer = (ref: string) => string | undefined;

/** The schema without what the server fills in, at every level, and without what the form hides. */
export function formSchema(document: RJSFSchema, hidden: readonly string[]): RJSFSchema {
  const definitions = (document['$defs'] ?? {}) as Readonly<Record<string, RJSFSchema>>;
  // References name definitions by ids that begin with a number sign, which are not JSON pointers.
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

/** What a schema and its conditions say of fields that are shown. */
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
  if (required !== undefined) part.required = required.filter((name) => isShown(name, properties?.[name] ?? {}));
  if (allOf !== undefined) part.allOf = allOf.map((each) => shownPart(each as RJSFSchema, hidden, pointer));
  for (const word of ['if', 'then', 'else'] as const) {
    const condition = schema[word];
    if (typeof condition === 'object') part[word] = shownPart(condition, hidden, pointer);
  }
  return part;
}

function fieldSchema(field: RJSFSchema, pointer: Pointer): RJSFSchema {
  const { $comment: _comment, $ref, items, oneOf, title, description, ...rest } = field;
  const [only] = (oneOf ?? []) as RJSFSchema[];
  if (only !== undefined) return fieldSchema({ ...rest, title, description, ...only }, pointer);
  const definition = $ref === undefined ? undefined : pointer($ref);
  // The description is what people read; the title is often only a technical name.
  const label = description ?? title;
  return {
    ...rest,
    ...(label !== undefined && { title: label }),
    // Else the description of what it refers to is shown as well, which says the same in most policies.
    ...(definition !== undefined && { $ref: definition, description: '' }),
    ...(typeof items === 'object' && !Array.isArray(items) && { items: fieldSchema(items, pointer) }),
  };
}

/** GeoJSON is one of several kinds of objects, each of which says itself which kind it is: one is a point. The server checks it. */
export const isPlace = ({ oneOf = [] }: RJSFSchema): boolean =>
  oneOf.some((kind) => {
    const type = typeof kind === 'object' ? kind.properties?.['type'] : undefined;
    return typeof type === 'object' && (type.const === 'Point' || type.enum?.includes('Point') === true);
  });

/** By what each definition is shown. */
const definitionsUi = (document: RJSFSchema): UiSchema =>
  Object.fromEntries(
    Object.values(document['$defs'] ?? {}).map((definition, at) => {
      const field = isPlace(definition as RJSFSchema) ? 'place' : 'part';
      return [`#/definitions/d${String(at)}`, { 'ui:field': field }];
    }),
  );

/** `fixed`: fields that show what they are filled with, and take nothing else. */
export const formUi = (document: RJSFSchema, submitText: string, fixed: readonly string[]): UiSchema => ({
  'ui:definitions': definitionsUi(document),
  'ui:submitButtonOptions': { submitText, props: { className: 'primary' } },
  ...Object.fromEntries(fixed.map((name) => [name, { 'ui:readonly': true }])),
});

/** The path of the field that a JSON pointer into the body, or into its document, means. */
export function fieldPath(pointer: string): string[] {
  const steps = pointer.split('/').slice(1);
  return steps[0] === 'document' ? steps.slice(1) : steps;
}

/** Problems by JSON pointer into the body, as a tree over the fields of the form. */
export function errorTree(details: readonly { readonly path: string; readonly message: string }[]): ErrorSchema {
  const tree: ErrorSchema = {};
  for (const { path, message } of details) {
    let at: ErrorSchema = tree;
    for (const step of fieldPath(path)) at = (at as Record<string, ErrorSchema>)[step] ??= {};
    at.__errors = [...(at.__errors ?? []), message];
  }
  return tree;
}
