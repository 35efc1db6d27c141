/** Variables of modules: replaces the names used by inner blocks with the values the policy assigns. */
import { isObject, type BlockSource } from '../../records/index.js';
import type { BlockNode } from '../model/policy-model.js';
import { resolveName, enclosingModule } from '../model/module.js';
import type { CompiledBlock } from './compiled-block.js';
import { declaredReferences } from './declared-references.js';

/** The block as written, with role variables of its module resolved in its permissions. */
export function withRoles(source: BlockSource, parent: BlockNode | null): BlockSource {
  if (enclosingModule(parent) === null) return source;
  const permissions = source.permissions.map((permission) => resolveName(permission, 'role', parent));
  const same = permissions.every((permission, index) => permission === source.permissions[index]);
  return same ? source : { ...source, permissions };
}

/**
 * Replaces the names of variables in the options that the block's type declares as references.
 * @returns whether anything was replaced; the options must then be parsed again.
 */
export function resolveVariables(block: CompiledBlock): boolean {
  if (enclosingModule(block.parent) === null) return false;
  const before = block.source;
  for (const { to, name, path } of declaredReferences(block)) {
    const value = resolveName(name, to, block.parent);
    if (value !== name) block.source = replaced(block.source, pathOf(path), name, value);
  }
  return block.source !== before;
}

/** Keys of a JSON pointer. */
const pathOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));

/** A copy with `name` at the path replaced by `value`; the same object if the path holds something else. */
function replaced<T>(at: T, path: readonly string[], name: string, value: string): T {
  const [key, ...rest] = path;
  if (key === undefined) return (typeof at === 'string' && at.trim() === name.trim() ? value : at) as T;
  if (Array.isArray(at)) {
    return at.map((each: unknown, index) => (String(index) === key ? replaced(each, rest, name, value) : each)) as T;
  }
  if (!isObject(at) || !Object.hasOwn(at, key)) return at;
  const next = replaced(at[key], rest, name, value);
  return next === at[key] ? at : { ...at, [key]: next };
}
