/**
 * The interface of a policy: what callers read from and send to its blocks, and with which roles, described without
 * running it.
 */
import { z } from 'zod';
import { isPermitted } from '../../access/index.js';
import type { BlockRegistry } from '../../catalog/index.js';
import { type BlockKind, type BlockNode, isSwitched, type PolicyTree } from '../../policy/index.js';
import { isObject, type JsonObject, type SchemaRecord } from '../../records/index.js';
import { SchemaShapes } from './schema-shapes.js';

export interface InterfaceBlock {
  readonly uuid: string;
  /** `null` for a block without a tag. */
  readonly tag: string | null;
  readonly blockType: string;
  readonly kind: BlockKind;
  readonly title: string;
  /** What blocks of the type do. */
  readonly description: string;
  /**
   * Roles of the policy, `OWNER`, or `NO_ROLE` for users without a role: who may call the block once it is open to
   * them.
   */
  readonly roles: readonly string[];
  /** JSON Schema of the input; `null` if the block accepts none. */
  readonly takes: JsonObject | null;
  /** JSON Schema of the answer; `null` if the block cannot be read. */
  readonly shows: JsonObject | null;
}

export interface PolicyInterface {
  /** In tree order. */
  readonly blocks: readonly InterfaceBlock[];
  /** The schemas the blocks refer to, as `#/$defs/<name>`. */
  readonly schemas: Readonly<Record<string, JsonObject>>;
}

export interface PolicyParts {
  readonly tree: PolicyTree;
  readonly schemas: readonly Pick<SchemaRecord, 'id' | 'name' | 'document'>[];
}

interface Role {
  readonly name: string;
  readonly role: string | null;
  readonly isOwner: boolean;
}

const OWNER = 'OWNER';
export const NO_ROLE = 'NO_ROLE';

/** @param audience the roles to describe it for. Default: all. */
export function policyInterface(
  { tree, schemas }: PolicyParts,
  registry: BlockRegistry,
  audience?: readonly string[],
): PolicyInterface {
  const roles = rolesOf(tree).filter(({ name }) => audience?.includes(name) ?? true);
  const permitted = permittedRoles(tree, roles);
  const writer = new SchemaShapes(schemas);
  const blocks = tree.blocks.flatMap((block): InterfaceBlock[] => {
    const open = permitted.get(block) ?? [];
    const shapes = open.length === 0 ? null : shapesOf(block, tree, registry);
    const { uuid, tag, named, blockType, uiMetaData, definition } = block;
    if (shapes === null || definition === null) return [];
    const { title } = uiMetaData;
    return [
      {
        uuid,
        tag: named ? tag : null,
        blockType,
        kind: definition.kind,
        title: typeof title === 'string' && title.trim() !== '' ? title : definition.title,
        description: definition.description,
        roles: open.map(({ name }) => name),
        takes: shapes.takes === null ? null : writer.referring(shapes.takes),
        shows: shapes.shows === null ? null : writer.referring(shapes.shows),
      },
    ];
  });
  return { blocks, schemas: writer.named() };
}

const rolesOf = ({ roles }: PolicyTree): Role[] => [
  { name: OWNER, role: null, isOwner: true },
  { name: NO_ROLE, role: null, isOwner: false },
  ...roles.filter((role) => role !== OWNER && role !== NO_ROLE).map((role) => ({ name: role, role, isOwner: false })),
];

/** Top-down, since a block is only for roles that all its ancestors admit. */
function permittedRoles({ blocks }: PolicyTree, roles: readonly Role[]): Map<BlockNode, readonly Role[]> {
  const permitted = new Map<BlockNode, readonly Role[]>();
  for (const block of blocks) {
    const above = block.parent === null ? roles : (permitted.get(block.parent) ?? []);
    const isOff = !block.defaultActive && isSwitched(block);
    permitted.set(block, isOff ? [] : above.filter((role) => isPermitted(block.permissions, role)));
  }
  return permitted;
}

const anyObject: JsonObject = { type: 'object' };

/** `null` for a block that cannot be called or is misconfigured. */
function shapesOf(
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
