/** Initial values of forms: defaults, required lists and objects, and `false` for required booleans. */
import { getSchemaType, type RJSFSchema } from '@rjsf/utils';

export type Values = Record<string, unknown>;

/** Access to nested schemas, for which fields are placeholders. */
export interface NestedSchemas {
  /**
   * The nested schema, or the field itself. Returns the same object each time unless the field overrides the schema.
   */
  readonly schemaOf: (field: RJSFSchema) => RJSFSchema;
  /** The schema with its conditions resolved for these values. */
  readonly retrieve: (schema: RJSFSchema, values?: Values) => RJSFSchema;
}

/**
 * Completes an object with initial values at every level. Existing values are kept, and an object without missing values is
 * returned as it is. Mirrors the form library, so conditions in an `allOf` are not resolved: fields that they add to nested
 * objects get no initial values.
 */
export type FillIn = (schema: RJSFSchema, values: Values) => Values;

export function fillIn({ schemaOf, retrieve }: NestedSchemas): FillIn {
  /** Cache of initial objects, of which a form may have hundreds. */
  const initials = new WeakMap<RJSFSchema, Values>();

  const filled: FillIn = (schema, values) => {
    const { properties = {}, required = [] } = 'if' in schema ? retrieve(schema, values) : schema;
    const changed: Values = {};
    for (const [name, property] of Object.entries(properties)) {
      const field = property as RJSFSchema;
      const isRequired = required.includes(name);
      const isThere = Object.hasOwn(values, name);
      const value = isThere ? filledValue(field, values[name]) : initialValue(field, isRequired);
      if (value === values[name] || (!isThere && !isRequired && isEmptyObject(value))) continue;
      changed[name] = value;
    }
    return Object.keys(changed).length === 0 ? values : { ...values, ...changed };
  };

  const initialObject = (schema: RJSFSchema): Values => {
    const cached = initials.get(schema);
    if (cached !== undefined) return cached;
    // Ends the recursion of a schema that contains itself.
    initials.set(schema, {});
    const values = filled(schema, {});
    initials.set(schema, values);
    return values;
  };

  const filledValue = (field: RJSFSchema, value: unknown): unknown => {
    const schema = schemaOf(field);
    if (Array.isArray(value)) return filledList(schema, value);
    if (isObject(value)) return filled(schema, value);
    const isNoChoice = schema.enum !== undefined && value !== undefined && !schema.enum.includes(value as never);
    return isNoChoice && schema.default !== undefined ? schema.default : value;
  };

  const filledList = (schema: RJSFSchema, list: readonly unknown[]): readonly unknown[] => {
    const items = itemsOf(schema);
    if (items === undefined) return list;
    const next = list.map((item) => (item === undefined ? addedItem(items) : filledValue(items, item)));
    return next.some((item, at) => item !== list[at]) ? next : list;
  };

  /** A new list item also gets the defaults of conditions that an empty item meets. */
  const addedItem = (items: RJSFSchema): unknown => {
    const schema = schemaOf(items);
    return getSchemaType(schema) === 'object' ? filled(retrieve(schema), {}) : undefined;
  };

  const initialValue = (field: RJSFSchema, isRequired: boolean): unknown => {
    const schema = schemaOf(field);
    if (schema.const !== undefined) return schema.const;
    const own: unknown = schema.default;
    switch (getSchemaType(schema)) {
      case 'object':
        return isObject(own) ? filled(schema, own) : initialObject(schema);
      case 'array':
        return initialList(schema, own ?? (isRequired ? [] : undefined));
      case 'boolean':
        return own ?? (isRequired ? false : undefined);
      default:
        return own;
    }
  };

  /** A list with `minItems` starts with that many items. */
  const initialList = (schema: RJSFSchema, own: unknown): unknown => {
    const list = Array.isArray(own) ? filledList(schema, own) : [];
    const items = itemsOf(schema);
    const missing = schema.uniqueItems === true ? 0 : (schema.minItems ?? 0) - list.length;
    if (items === undefined || missing <= 0) return own === undefined ? undefined : list;
    return [...list, ...Array.from({ length: missing }, () => initialValue(items, false))];
  };

  return filled;
}

/** The schema of each item; `undefined` if there is none, or a different one for each position. */
const itemsOf = ({ items }: RJSFSchema): RJSFSchema | undefined =>
  typeof items === 'object' && !Array.isArray(items) ? items : undefined;

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isEmptyObject = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;
