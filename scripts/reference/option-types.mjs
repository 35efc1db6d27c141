/** Options of block types as JSON Schema, and their types in words. */

/** The schema of what an author writes; `undefined` for a type without options. */
export function optionSchema({ options }, toJsonSchema) {
  if (options === undefined) return undefined;
  const schema = toJsonSchema(options, { io: 'input', unrepresentable: 'any', override: nameValues });
  delete schema.$schema;
  return schema;
}

/** A text that is read as one of several values can be only what is read as one. */
function nameValues({ zodSchema, jsonSchema }) {
  const { type, out } = zodSchema._zod.def;
  if (type !== 'pipe' || out._zod.def.type !== 'enum') return;
  const values = Object.values(out._zod.def.entries);
  const cases = values.flatMap((value) => [value, value.toUpperCase(), value.toLowerCase()]);
  jsonSchema.enum = [...new Set([...cases, '', null])].filter((each) => zodSchema.safeParse(each).success);
}

/** The schemas that options share, by names that are unique among all types; `schema` then refers to them there. */
export function definitionsOf(type, toJsonSchema) {
  const { $defs = {}, ...schema } = optionSchema(type, toJsonSchema) ?? {};
  const moved = (value) => JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', `"#/definitions/${type.type}.`));
  const definitions = Object.entries($defs).map(([name, definition]) => [`${type.type}.${name}`, moved(definition)]);
  return { schema: moved(schema), definitions: Object.fromEntries(definitions) };
}

/** What an option is when it is not written; `undefined` if that is nothing. */
export function defaultsOf({ options }) {
  const read = options?.safeParse({});
  return read?.success === true ? read.data : {};
}

/** The options that have to be written. */
export function requiredOf({ options }) {
  const read = options?.safeParse({});
  return new Set(read?.success === false ? read.error.issues.map(({ path }) => path[0]) : []);
}

/** `null` is written for "nothing" by editors and is left out. */
export function typeText(schema) {
  if (schema === undefined || schema === true || schema === false) return 'anything';
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined)
    return schema.enum
      .filter((each) => each !== null)
      .map((each) => JSON.stringify(each))
      .join(' or ');
  const parts = schema.anyOf ?? schema.oneOf;
  if (parts !== undefined) return distinct(parts.map(typeText));
  if (Array.isArray(schema.type)) return distinct(schema.type.map((type) => typeText({ ...schema, type })));
  return textOfType(schema);
}

function textOfType({ type, items, properties }) {
  if (type === 'null') return '';
  if (type === 'array') return items === undefined ? 'list' : `list of ${typeText(items)}`;
  if (type === 'object') return properties === undefined ? 'object' : `{ ${usableNames(properties).join(', ')} }`;
  return type ?? 'anything';
}

/** Without members that have no effect; see `tolerant.unused`. */
export const usableNames = (properties) =>
  Object.keys(properties).filter((name) => properties[name].deprecated !== true);

/** Texts that stand for booleans are an old form of the format. */
const distinct = (texts) => {
  const all = texts.includes('boolean') ? texts.filter((text) => !/^"(true|false)"/i.test(text)) : texts;
  const uniqueTexts = [...new Set(all.filter((text) => text !== ''))];
  const types = uniqueTexts.filter((text) => text !== 'anything');
  return (types.length > 0 ? types : uniqueTexts).join(' or ');
};
