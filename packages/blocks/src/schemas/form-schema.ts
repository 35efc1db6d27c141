/** The schema of a form: the policy's record, with fields and conditions in the shape that front ends read. */
import { isObject, type Json, type JsonObject, type SchemaRecord } from '@blockwork/core/block';
import { formConditions } from './conditions/form-conditions.js';
import { FIELDS_OF_A_FORM, LEVELS_OF_A_FORM } from './limits.js';
import { contextOf, typeOf } from './named-subject.js';
import { commentOf, definitionsIn, propertiesOf } from './schema-fields.js';

type Schema = Record<string, unknown>;

/** State of the descent into nested schemas. The definitions of the outermost one apply at every level. */
interface Walk {
  readonly definitions: ReadonlyMap<string, Schema>;
  /** IRIs of the enclosing schemas, to stop at recursive ones. */
  readonly above: readonly string[];
  readonly budget: { fields: number };
}

/** Texts that front ends require. */
const texts = ['hash', 'version', 'creator', 'owner', 'topicId', 'messageId', 'documentURL'];

export function formSchema(record: SchemaRecord): JsonObject {
  const { id, name, entity, status, document, source } = record;
  const content: Schema = document ?? {};
  const walk: Walk = { definitions: definitionsIn(content), above: [id], budget: { fields: FIELDS_OF_A_FORM } };
  const { previousVersion } = commentOf(content);
  return {
    ...source,
    ...Object.fromEntries(texts.map((member) => [member, textOr(source[member], '')])),
    description: textOr(source.description, ''),
    iri: id,
    type: typeOf(id),
    name,
    entity: entity || 'NONE',
    status: status || 'DRAFT',
    category: textOr(source.category, 'POLICY'),
    sourceVersion: textOr(source.sourceVersion, ''),
    userDID: null,
    ...(typeof previousVersion === 'string' && { previousVersion }),
    contextURL: contextOf(record),
    context: contextDocument(source.context),
    document,
    ...parsed(content, walk),
  };
}

/** An object in current archives, JSON text in older ones. */
export function contextDocument(context: Json | undefined): JsonObject {
  if (isObject(context)) return context;
  if (typeof context !== 'string') return {};
  try {
    const read: unknown = JSON.parse(context);
    return isObject(read) ? (read as JsonObject) : {};
  } catch {
    return {};
  }
}

const parsed = (schema: Schema, walk: Walk): { fields: JsonObject[]; conditions: JsonObject[] } => {
  const fields = fieldsOf(schema, walk, { leavesOut: true });
  const conditions = formConditions({
    schema,
    fields,
    definitions: walk.definitions,
    fieldsOf: (branch) => fieldsOf(branch, walk, { leavesOut: true }),
  });
  return { fields, conditions };
};

/** Sorted by position; those without one come first, in their order. `leavesOut`: without the server's own fields. */
function fieldsOf(schema: Schema, walk: Walk, { leavesOut }: { readonly leavesOut: boolean }): JsonObject[] {
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const fields: JsonObject[] = [];
  for (const [name, property] of Object.entries(propertiesOf(schema))) {
    if (!isObject(property) || (leavesOut && property.readOnly === true)) continue;
    if (walk.budget.fields <= 0) break;
    walk.budget.fields -= 1;
    const isRequired = required.includes(name) || commentOf(property).conditionRequired === true;
    fields.push(fieldOf(name, property, isRequired, walk));
  }
  const position = ({ order }: JsonObject): number => (typeof order === 'number' ? order : -1);
  return fields.sort((a, b) => position(a) - position(b));
}

function fieldOf(name: string, property: Schema, required: boolean, walk: Walk): JsonObject {
  const alternatives: readonly unknown[] = Array.isArray(property.oneOf) ? property.oneOf : [];
  const first = isObject(alternatives[0]) ? alternatives[0] : property;
  const isArray = first.type === 'array';
  const value = isArray && isObject(first.items) ? first.items : first;
  const comment = commentOf(property);
  const isRef = typeof value.$ref === 'string' && value.type === undefined;
  return {
    name,
    title: textOr(property.title ?? first.title, name),
    description: textOr(property.description ?? first.description, name),
    required,
    isArray,
    isRef,
    readOnly: property.readOnly === true || value.readOnly === true,
    customType: textOr(comment.customType, null),
    examples: Array.isArray(property.examples) ? (property.examples as Json[]) : null,
    hidden: comment.hidden === true,
    autocalculate: comment.autocalculate === true,
    order: typeof comment.orderPosition === 'number' && comment.orderPosition > 0 ? comment.orderPosition : -1,
    ...(typeof property.$comment === 'string' && { comment: property.$comment }),
    ...copied(comment, fromComment),
    ...(property.default !== undefined && { default: property.default as Json }),
    ...(isRef ? ofReference(String(value.$ref), walk) : ofValue(value, comment)),
  };
}

/** Optional members of a comment that front ends read. */
const fromComment = [
  'isPrivate',
  'textColor',
  'textSize',
  'textBold',
  'font',
  'suggest',
  'expression',
  'isUpdatable',
  'availableOptions',
  'dependency',
  'enumName',
  'tableColumns',
  'templateFieldId',
];

const copied = (from: Schema, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.filter((name) => Object.hasOwn(from, name)).map((name) => [name, from[name] as Json]));

const ofValue = (value: Schema, comment: Schema): JsonObject => ({
  type: textOr(value.type, null),
  format: textOr(value.format, null),
  pattern: textOr(value.pattern, null),
  unit: textOr(comment.unit, null),
  unitSystem: textOr(comment.unitSystem, null),
  property: textOr(comment.property, null),
  fields: null,
  conditions: null,
  context: null,
  ...(Array.isArray(value.enum) && { enum: value.enum as Json[] }),
  ...(typeof value.$ref === 'string' && { remoteLink: value.$ref }),
});

/** Without fields if the definition is missing, recursive or nested too deeply. */
function ofReference(iri: string, walk: Walk): JsonObject {
  const { definitions, above } = walk;
  const definition = definitions.get(iri);
  const isOpen = definition !== undefined && !above.includes(iri) && above.length <= LEVELS_OF_A_FORM;
  const inner = isOpen ? parsed(definition, { ...walk, above: [...above, iri] }) : { fields: [], conditions: [] };
  return {
    type: iri,
    format: null,
    pattern: null,
    unit: null,
    unitSystem: null,
    property: null,
    ...inner,
    context: { type: typeOf(iri), context: [addressOf(iri, definition)] },
  };
}

/** A definition's comment has `{"@id": "<address>#<id>"}`, or only the id if it is unpublished. */
function addressOf(iri: string, definition: Schema | undefined): string {
  const id = commentOf(definition)['@id'];
  const address = typeof id === 'string' ? id.slice(0, Math.max(0, id.indexOf('#'))) : '';
  return address || `schema:${typeOf(iri)}`;
}

const textOr = <Fallback extends string | null>(value: unknown, fallback: Fallback): string | Fallback =>
  typeof value === 'string' ? value : fallback;
