/** The shapes of one block: declared by its type, or inferred. */
import { z } from 'zod';
import type { BlockRegistry } from '../../catalog/index.js';
import type { BlockNode, PolicyTree } from '../../policy/index.js';
import { isObject, type JsonObject } from '../../records/index.js';

const anyObject: JsonObject = { type: 'object' };

/** `null` for a block that cannot be called or is misconfigured. */
export function shapesOf(
  block: BlockNode,
  policy: PolicyTree,
  registry: BlockRegistry,
): { readonly takes: JsonObject | null; readonly shows: JsonObject | null } | null {
  const type = registry.get(block.blockType);
  if (type === undefined || block.options === null) return null;
  if (type.read === undefined && type.receive === undefined) return null;
  const own = type.shapes?.(block.options, { block, policy }) ?? {};
  return {
    takes: type.receive === undefined ? null : (own.takes ?? inputShape(type.input)),
    shows: type.read === undefined ? null : (own.shows ?? anyObject),
  };
}

/** Whatever zod cannot express as JSON Schema is left open. */
function inputShape(input: z.ZodType | undefined): JsonObject {
  if (input === undefined) return anyObject;
  const { $schema: _, ...shape } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any', reused: 'inline' });
  const open = withoutReferences(shape) as JsonObject;
  return Object.keys(open).length === 0 ? anyObject : open;
}

/** Only the schema of arbitrary JSON is recursive, and `{}` is equivalent to it. */
function withoutReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutReferences);
  if (!isObject(value)) return value;
  if ('$ref' in value) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => (key === '$defs' ? [] : [[key, withoutReferences(member)]])),
  );
}
