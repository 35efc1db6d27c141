/** Schemas of options as editors explain them best: closed, and with one place for each mistake. */
import { besidesMembers } from './members-without-effect.mjs';

/** Objects whose members are all known have no others; alternatives are one schema where they can be. */
export function closed(schema) {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  // See `tolerant.unused`.
  if (schema.deprecated === true) return { $ref: '#/definitions/withoutEffect' };
  const { properties, anyOf, enum: values, ...others } = schema;
  const rest = Object.fromEntries(Object.entries(others).map(([key, value]) => [key, closed(value)]));
  return {
    ...rest,
    ...(values === undefined ? {} : { enum: values }),
    ...(properties === undefined ? {} : closedObject(properties, rest)),
    ...(anyOf === undefined ? {} : united(anyOf.map(closed))),
  };
}

/** The schema with members that entries of its lists have to have: `[['uiMetaData', 'buttons'], { required: ['tag'] }]`. */
export function withEntries(schema, [[name, ...path], rules]) {
  const { properties = {}, items } = schema;
  if (name === undefined)
    return { ...schema, items: { ...items, ...rules, properties: { ...items.properties, ...rules.properties } } };
  return { ...schema, properties: { ...properties, [name]: withEntries(properties[name] ?? {}, [path, rules]) } };
}

function closedObject(properties, { additionalProperties }) {
  const members = Object.entries(properties).map(([name, member]) => [name, closed(member)]);
  if (additionalProperties !== undefined) return { properties: Object.fromEntries(members) };
  const besides = besidesMembers.map((name) => [name, { $ref: '#/definitions/withoutEffect' }]);
  return { properties: Object.fromEntries([...besides, ...members]), additionalProperties: false };
}

/** Of alternatives, editors list what is wrong with each. */
function united(alternatives) {
  // Older policies may have anything there.
  const [first, ...others] = alternatives.filter((each) => Object.keys(each).length > 0);
  if (first === undefined) return {};
  const isNothing = ({ type }) => type === 'null';
  if (others.every(isNothing)) return others.length === 0 ? first : orNothing(first);
  const all = [first, ...others];
  if (all.every((each) => Object.keys(each).join() === 'type')) return { type: all.flatMap(({ type }) => type) };
  const values = all.map(valuesOf);
  return values.includes(undefined) ? { anyOf: all } : { enum: [...new Set(values.flat())] };
}

function orNothing(schema) {
  if (schema.enum !== undefined) return { ...schema, type: undefined, enum: [...schema.enum, null] };
  return typeof schema.type === 'string'
    ? { ...schema, type: [schema.type, 'null'] }
    : { anyOf: [schema, { type: 'null' }] };
}

function valuesOf({ type, enum: values }) {
  if (type === 'boolean') return [true, false];
  return type === 'null' ? [null] : values;
}
