/** Sensitive options, visible only to a policy's owner (Promise 24). */
import type { z } from 'zod';
import { isObject } from '../../records/index.js';
import type { BlockSource } from '../../records/index.js';
import type { BlockCatalog } from './policy-model.js';

/** Marks an option as visible only to the policy's owner. */
export const sensitive = <Schema extends z.ZodType>(schema: Schema): Schema => schema.meta({ sensitive: true });

/** The parts of a zod schema that hold other schemas. */
interface Schema {
  readonly meta?: () => { readonly sensitive?: unknown } | undefined;
  readonly _zod: { readonly def: Readonly<Record<string, unknown>> };
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && '_zod' in value && isObject(value._zod);

/** All schemas that may apply to a value of this schema. */
function alternatives({ _zod: { def } }: Schema): Schema[] {
  const inner = [def['innerType'], def['in'], def['left'], def['right']];
  const options: unknown[] = Array.isArray(def['options']) ? def['options'] : [];
  return [...inner, ...options].filter(isSchema);
}

/** The schemas of a member, or of an item. */
function schemasAt(schema: Schema, key: string | number): Schema[] {
  const { shape, element, valueType, items } = schema._zod.def;
  const own = [
    isObject(shape) && Object.hasOwn(shape, key) ? shape[key] : undefined,
    typeof key === 'number' ? element : valueType,
    Array.isArray(items) && typeof key === 'number' ? (items as unknown[])[key] : undefined,
  ].filter(isSchema);
  return [...own, ...alternatives(schema).flatMap((each) => schemasAt(each, key))];
}

const isMarked = (schema: Schema): boolean =>
  schema.meta?.()?.sensitive === true || alternatives(schema).some(isMarked);

/** The value without sensitive parts: members are removed, list items become `null`. */
function unmarked(value: unknown, schemas: readonly Schema[]): unknown {
  if (Array.isArray(value)) {
    return value.map((item: unknown, at) => {
      const ofItem = schemas.flatMap((schema) => schemasAt(schema, at));
      return ofItem.some(isMarked) ? null : unmarked(item, ofItem);
    });
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const ofMember = schemas.flatMap((schema) => schemasAt(schema, name));
      return ofMember.some(isMarked) ? [] : [[name, unmarked(member, ofMember)]];
    }),
  );
}

/** The texts at sensitive places of the value. */
export const markedTexts = (value: unknown, schema: unknown): string[] =>
  isSchema(schema) ? textsUnder(value, [schema], false) : [];

function textsUnder(value: unknown, schemas: readonly Schema[], isHidden: boolean): string[] {
  const hidden = isHidden || schemas.some(isMarked);
  if (typeof value === 'string') return hidden ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const name = Array.isArray(value) ? Number(key) : key;
    return textsUnder(
      member,
      schemas.flatMap((each) => schemasAt(each, name)),
      hidden,
    );
  });
}

/**
 * A configuration as seen by users other than its owner: without options marked as sensitive. Options of an unknown
 * block type are removed entirely, since none of them is known to be safe.
 */
export function publicConfiguration(block: BlockSource, catalog: BlockCatalog): BlockSource {
  const definition = catalog.get(block.blockType);
  const { children, ...own } = block;
  const below = children.map((child) => publicConfiguration(child, catalog));
  if (definition === undefined) return { ...commonMembers(own), children: below } as BlockSource;
  const { options } = definition;
  const shown = isSchema(options) ? unmarked(own, [options]) : own;
  return { ...(shown as typeof own), children: below };
}

const common = [
  'id',
  'blockType',
  'tag',
  'permissions',
  'defaultActive',
  'uiMetaData',
  'events',
  'dependencies',
  'stopPropagation',
];

const commonMembers = (block: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(block).filter(([name]) => common.includes(name)));

/** Names of headers, parameters and members that hold secrets, in any naming style. */
const secretNames =
  /^(proxy-?)?authorization$|^(set-?)?cookie$|(api|access|auth|secret|private|subscription)[-_.]?(key|token)$|passw(or)?d$|secret$|^bearer$|credentials?$/i;

export const namesSecret = (name: string): boolean => secretNames.test(name.trim());
