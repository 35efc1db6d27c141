/** What forms of a schema cannot do, though documents may meet it. */
import { didYouMean } from '../options/index.js';
import { isObject } from '../records/index.js';

type Schema = Readonly<Record<string, unknown>>;
type Doubt = readonly [keys: readonly PropertyKey[], clause: string];

/** @param within the keyword by which another schema holds this one; `undefined` for the whole document. */
export const doubtsIn = (schema: Schema, within: PropertyKey | undefined): Doubt[] => [
  ...requiredDoubts(schema, within),
  ...choiceDoubts(schema),
  ...(within === undefined ? nameDoubts(schema) : []),
];

/** Conditions may require what is a field of the schema around them. */
const holdsFields: readonly (PropertyKey | undefined)[] = [undefined, 'properties', '$defs', 'definitions', 'items'];

function requiredDoubts(schema: Schema, within: PropertyKey | undefined): Doubt[] {
  const { properties, required, patternProperties } = schema;
  if (!isObject(properties) || !Array.isArray(required) || isObject(patternProperties)) return [];
  if (!holdsFields.includes(within)) return [];
  return required.flatMap((name: unknown, index): Doubt[] => {
    if (typeof name !== 'string' || Object.hasOwn(properties, name) || isConditional(schema, name)) return [];
    const hint = didYouMean(name, Object.keys(properties));
    return [
      [['required', index], `is ${JSON.stringify(name)}, which is no field${hint}: no form of it can be filled in`],
    ];
  });
}

/** Whether a condition of the schema has the field. */
function isConditional(schema: Schema, name: string): boolean {
  const conditions = ['allOf', 'anyOf', 'oneOf'].flatMap((word): unknown[] => {
    const list = schema[word];
    return Array.isArray(list) ? list : [];
  });
  const branches = [schema, ...conditions].filter(isObject).flatMap((each) => [each['then'], each['else']]);
  return [...conditions, ...branches].some(
    (each) => isObject(each) && isObject(each['properties']) && Object.hasOwn(each['properties'], name),
  );
}

/** A choice of another type than its field. */
function choiceDoubts({ type, enum: choices }: Schema): Doubt[] {
  const wanted = type === 'integer' ? 'number' : type;
  if (!Array.isArray(choices) || (wanted !== 'string' && wanted !== 'number' && wanted !== 'boolean')) return [];
  const index = choices.findIndex((choice) => typeof choice !== wanted);
  if (index === -1) return [];
  return [[['enum', index], `is ${JSON.stringify(choices[index])}, which is no ${wanted}: nobody can choose it`]];
}

/** Members of a subject that only the engine writes; generated schemas list them, as read-only. */
const ownMembers = ['@context', 'id', 'type', 'policyId', 'ref'];

function nameDoubts({ properties }: Schema): Doubt[] {
  if (!isObject(properties)) return [];
  return ownMembers.flatMap((name): Doubt[] => {
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!isObject(field) || field['readOnly'] === true) return [];
    const clause = 'has a name that the engine uses itself, so that what users enter is lost: rename the field';
    return [[['properties', name], clause]];
  });
}
