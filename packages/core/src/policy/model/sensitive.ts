/** Sensitive options, visible only to a policy's owner, and detection of literal secrets in policies. */
import type { z } from 'zod';
import { isObject, secretNamesIn } from '../../records/index.js';
import type { BlockSource } from '../../records/index.js';
import type { BlockCatalog, BlockNode } from './policy-model.js';
import { finding } from './block-finding.js';
import type { Finding } from './finding.js';
import { pointerOf } from './pointer.js';

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

/** Whether a text is a literal value rather than a reference to a secret or to a document. */
export const isLiteral = (text: string): boolean =>
  secretNamesIn(text).length === 0 &&
  !/\$\{[^{}]*\}/.test(text) &&
  text.replace(/^\s*(basic|bearer|digest|token|apikey)\b/i, '').trim() !== '';

/** A literal secret in the policy, visible to anyone who obtains the policy. */
export const literalSecret = (node: BlockNode, what: string, path: readonly (string | number)[]): Finding =>
  finding(node, {
    code: 'SECRET_LITERAL',
    severity: 'warning',
    path: pointerOf(path),
    message: `"${node.tag}" has a literal value for ${what}. Refer to a secret, {{secret:NAME}}, and configure its value in the engine.`,
  });
