/** The parts of a form: nested schemas, which the form library sees only as placeholders. */
import {
  createSchemaUtils,
  deepEquals,
  mergeSchemas,
  RJSF_REF_KEY,
  type RJSFSchema,
  type ValidatorType,
} from '@rjsf/utils';
import { CONDITIONAL } from './form-conditions.js';
import { fillIn, type NestedSchemas, type Values } from './form-defaults.js';
import { problemsOf, schemaValidator } from './form-validator.js';

/** Number of fields, at any depth, from which large parts of a form start collapsed. */
const longForm = 150;
/** Parts with at most this many fields are never collapsed. */
const smallPart = 5;

export interface FormParts {
  /** The schema given to the form library, with only a title in place of each nested schema. */
  readonly outline: RJSFSchema;
  /** Validates against the complete schema. */
  readonly validator: ValidatorType<Values>;
  /** The nested schema behind a placeholder, merged with the field's own keywords; otherwise the field itself. */
  readonly schemaOf: (field: RJSFSchema) => RJSFSchema;
  /** Whether the part behind a field starts collapsed. */
  readonly isFolded: (field: RJSFSchema) => boolean;
  /** The values completed with the initial values of all fields. */
  readonly fill: (values: Values) => Values;
  /** The values without those of fields that no condition shows. */
  readonly shown: (values: Values) => Values;
  /** The initial values of a part. */
  readonly emptyPart: (part: RJSFSchema) => Values;
  /** Number of validation errors in a part. */
  readonly problemsIn: (part: RJSFSchema, values: Values) => number;
}

type Definitions = Readonly<Record<string, RJSFSchema>>;

/** `whole` comes from `formSchema`. */
export function formParts(whole: RJSFSchema): FormParts {
  const definitions = Object.fromEntries(
    Object.entries(whole.definitions ?? {}).map(([key, each]) => [key, withoutRepetition(each as RJSFSchema)]),
  );
  const schema = { ...withoutRepetition(whole), definitions };
  const outline: RJSFSchema = {
    ...schema,
    definitions: Object.fromEntries(Object.entries(definitions).map(([key, { title }]) => [key, { title }])),
  };
  const validator: ValidatorType<Values> = {
    ...schemaValidator,
    validateFormData: (values) => schemaValidator.validateFormData(values, schema),
    isValid: (condition, values) => schemaValidator.isValid(condition, values, schema),
  };
  const utils = createSchemaUtils<Values>(validator, outline);
  const retrieve = (part: RJSFSchema, values?: Values): RJSFSchema => utils.retrieveSchema(part, values);
  const definitionOf = (field: RJSFSchema): RJSFSchema | undefined => definitions[keyOf(field) ?? ''];
  const schemaOf = (field: RJSFSchema): RJSFSchema => {
    const definition = definitionOf(field);
    // GeoJSON has its own field component.
    if (definition?.properties === undefined) return field;
    const { $ref: _ref, [RJSF_REF_KEY as never]: _marker, ...own } = field;
    return mergeSchemas(definition, own);
  };
  const hasOverrides = (field: RJSFSchema): boolean =>
    Object.keys(field).some((word) => word !== '$ref' && word !== 'title' && word !== 'description');
  const valuesSchema = (field: RJSFSchema): RJSFSchema => {
    const definition = definitionOf(field);
    return definition?.properties === undefined || hasOverrides(field) ? schemaOf(field) : definition;
  };
  const filled = fillIn({ schemaOf: valuesSchema, retrieve });
  const count = fieldCounter(definitions);
  const isLong = count(schema) >= longForm;
  return {
    ...{ outline, validator, schemaOf },
    isFolded: (field) => isLong && count(definitionOf(field) ?? {}) > smallPart,
    fill: (values) => filled(retrieve(outline, values), values),
    shown: (values) => shownValues(outline, values, { schemaOf: valuesSchema, retrieve }),
    emptyPart: (part) => filled(part, {}),
    problemsIn: (part, values) => problemsOf(part, values, schema).length,
  };
}

/** Conditions may depend on fields of others, which are removed first. */
function shownValues(part: RJSFSchema, values: Values, nested: NestedSchemas): Values {
  const conditional = (part[CONDITIONAL] ?? []) as readonly string[];
  let next = values;
  let properties = part.properties ?? {};
  for (let round = 0; round <= conditional.length; round += 1) {
    properties = nested.retrieve(part, next).properties ?? {};
    const closed = conditional.filter((name) => Object.hasOwn(next, name) && !Object.hasOwn(properties, name));
    if (closed.length === 0) break;
    next = Object.fromEntries(Object.entries(next).filter(([name]) => !closed.includes(name)));
  }
  const inner = (field: RJSFSchema, value: unknown): unknown => {
    const schema = nested.schemaOf(field);
    if (Array.isArray(value)) return shownItems(schema, value);
    return isValues(value) && schema.properties !== undefined ? shownValues(schema, value, nested) : value;
  };
  const shownItems = ({ items }: RJSFSchema, list: readonly unknown[]): readonly unknown[] => {
    if (typeof items !== 'object' || Array.isArray(items)) return list;
    const shown = list.map((item) => inner(items, item));
    return shown.some((item, at) => item !== list[at]) ? shown : list;
  };
  const changed = Object.entries(next).flatMap(([name, value]): [string, unknown][] => {
    const field = properties[name];
    const shown = typeof field === 'object' ? inner(field, value) : value;
    return shown === value ? [] : [[name, shown]];
  });
  return changed.length === 0 ? next : { ...next, ...Object.fromEntries(changed) };
}

const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Removes fields of conditions that only repeat the schema's own, as many schemas do: with nested schemas, each level would
 * double the time of a validation.
 */
function withoutRepetition(schema: RJSFSchema, own: RJSFSchema['properties'] = schema.properties): RJSFSchema {
  const next = { ...schema };
  if (schema.properties !== own)
    next.properties = Object.fromEntries(
      Object.entries(schema.properties ?? {}).filter(([name, field]) => !deepEquals(field, own?.[name])),
    );
  if (schema.allOf !== undefined)
    next.allOf = schema.allOf.map((each) => (typeof each === 'object' ? withoutRepetition(each, own) : each));
  for (const branch of ['then', 'else'] as const) {
    const fields = schema[branch];
    if (typeof fields === 'object') next[branch] = withoutRepetition(fields, own);
  }
  return next;
}

/** The key of the definition that a field refers to with `$ref`, or with the library's marker after resolution. */
function keyOf(field: RJSFSchema): string | undefined {
  const pointer: unknown = field.$ref ?? field[RJSF_REF_KEY as never];
  return typeof pointer === 'string' ? pointer.replace('#/definitions/', '') : undefined;
}

/** Counts the fields of a schema, including nested schemas and conditions. Lists start empty and count as one. */
function fieldCounter(definitions: Definitions): (schema: RJSFSchema) => number {
  const counts = new Map<RJSFSchema, number>();
  const countOf = (schema: RJSFSchema): number => {
    const cached = counts.get(schema);
    if (cached !== undefined) return cached;
    // A schema that contains itself counts as infinite.
    counts.set(schema, Infinity);
    const fields = Object.values(allProperties(schema));
    const count = fields.reduce((sum, field) => sum + countField(field), 0);
    counts.set(schema, count);
    return count;
  };
  const countField = (field: RJSFSchema): number => {
    const nested = definitions[keyOf(field) ?? ''] ?? field;
    return nested.properties === undefined ? 1 : Math.max(1, countOf(nested));
  };
  return countOf;
}

/** Its properties and those of all conditional branches. */
function allProperties(schema: RJSFSchema): Record<string, RJSFSchema> {
  const branches = [schema.then, schema.else, ...(schema.allOf ?? [])].filter((each) => typeof each === 'object');
  return Object.assign({}, schema.properties, ...branches.map(allProperties)) as Record<string, RJSFSchema>;
}
