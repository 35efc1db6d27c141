/** The parts of a form: nested schemas, which the form library sees only as placeholders. */
import {
  createSchemaUtils,
  deepEquals,
  mergeSchemas,
  RJSF_REF_KEY,
  type RJSFSchema,
  type ValidatorType,
} from '@rjsf/utils';
import { fillIn, type Values } from './form-defaults.js';
import { problemsOf, schemaValidator } from './form-validator.js';

/** From so many fields on, however deep, the larger parts of a form are closed until somebody opens them. */
const longForm = 150;
/** Parts of so many fields are drawn where they stand, in long forms as well. */
const smallPart = 5;

export interface FormParts {
  /** What the form library works with: the schema, with only a name in place of each nested one. */
  readonly outline: RJSFSchema;
  /** Checks values against the whole schema. */
  readonly validator: ValidatorType<Values>;
  /** The nested schema that a field of the outline stands for, with what the field itself says; else the field. */
  readonly schemaOf: (field: RJSFSchema) => RJSFSchema;
  /** Whether the part that a field stands for is closed at first. */
  readonly isFolded: (field: RJSFSchema) => boolean;
  /** The values with those that fields have before anybody fills them in. */
  readonly fill: (values: Values) => Values;
  /** What a part has before anybody fills it in. */
  readonly emptyPart: (part: RJSFSchema) => Values;
  /** How many problems the values of a part have. */
  readonly problemsIn: (part: RJSFSchema, values: Values) => number;
}

type Definitions = Readonly<Record<string, RJSFSchema>>;

/** Of a schema that `formSchema` has made. */
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
    // Places have fields of their own.
    if (definition?.properties === undefined) return field;
    const { $ref: _ref, [RJSF_REF_KEY as never]: _marker, ...own } = field;
    return mergeSchemas(definition, own);
  };
  const saysMore = (field: RJSFSchema): boolean =>
    Object.keys(field).some((word) => word !== '$ref' && word !== 'title' && word !== 'description');
  const valuesSchema = (field: RJSFSchema): RJSFSchema => {
    const definition = definitionOf(field);
    return definition?.properties === undefined || saysMore(field) ? schemaOf(field) : definition;
  };
  const filled = fillIn({ schemaOf: valuesSchema, retrieve });
  const count = fieldCounter(definitions);
  const isLong = count(schema) >= longForm;
  return {
    ...{ outline, validator, schemaOf },
    isFolded: (field) => isLong && count(definitionOf(field) ?? {}) > smallPart,
    fill: (values) => filled(retrieve(outline, values), values),
    emptyPart: (part) => filled(part, {}),
    problemsIn: (part, values) => problemsOf(part, values, schema).length,
  };
}

/**
 * Without what conditions say of fields as the schema itself does, which many say of each field: with nested schemas in it, each level
 * would double the time that a check takes.
 */
function withoutRepetition(schema: RJSFSchema, said: RJSFSchema['properties'] = schema.properties): RJSFSchema {
  const next = { ...schema };
  if (schema.properties !== said)
    next.properties = Object.fromEntries(
      Object.entries(schema.properties ?? {}).filter(([name, field]) => !deepEquals(field, said?.[name])),
    );
  if (schema.allOf !== undefined)
    next.allOf = schema.allOf.map((each) => (typeof each === 'object' ? withoutRepetition(each, said) : each));
  for (const branch of ['then', 'else'] as const) {
    const fields = schema[branch];
    if (typeof fields === 'object') next[branch] = withoutRepetition(fields, said);
  }
  return next;
}

/** The key of the definition that a field refers to, by itself or, where the library has looked it up, by its mark. */
function keyOf(field: RJSFSchema): string | undefined {
  const pointer: unknown = field.$ref ?? field[RJSF_REF_KEY as never];
  return typeof pointer === 'string' ? pointer.replace('#/definitions/', '') : undefined;
}

/** Counts the fields that a schema may ask for, those of nested schemas and conditions included. Lists begin empty: each counts as one. */
function fieldCounter(definitions: Definitions): (schema: RJSFSchema) => number {
  const counts = new Map<RJSFSchema, number>();
  const countOf = (schema: RJSFSchema): number => {
    const known = counts.get(schema);
    if (known !== undefined) return known;
    // A schema within itself has no end: it is met again while it is counted.
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

/** Those of all branches of its conditions. */
function allProperties(schema: RJSFSchema): Record<string, RJSFSchema> {
  const branches = [schema.then, schema.else, ...(schema.allOf ?? [])].filter((each) => typeof each === 'object');
  return Object.assign({}, schema.properties, ...branches.map(allProperties)) as Record<string, RJSFSchema>;
}
