/** Modules and tools: containers with named ports, and with variables for use by the blocks inside. */
import { isObject, type BlockSource } from '../../records/index.js';
import type { ReferenceTarget } from './policy-model.js';

const moduleTypes: ReadonlySet<string> = new Set(['module', 'tool']);

export const isModule = ({ blockType }: Pick<BlockSource, 'blockType'>): boolean => moduleTypes.has(blockType);

/** The format's variable types, by the kind of reference in block options. There is none for fields. */
export const variableTypes: Readonly<Partial<Record<ReferenceTarget, string>>> = {
  schema: 'Schema',
  token: 'Token',
  tokenTemplate: 'TokenTemplate',
  topic: 'Topic',
  group: 'Group',
  role: 'Role',
  text: 'String',
};

export interface ModuleVariable {
  readonly name: string;
  readonly type: string;
  /** The value assigned by the policy; empty if there is none. */
  readonly value: string;
}

/** The variables of a module or tool. The enclosing policy stores each value in a member with the variable's name. */
export function moduleVariables(source: Readonly<Record<string, unknown>>): ModuleVariable[] {
  const variables: unknown[] = Array.isArray(source['variables']) ? source['variables'] : [];
  return variables.filter(isObject).map((variable) => {
    const [name, type] = [textOf(variable['name']), textOf(variable['type'])];
    return { name, type, value: textOf(variable['value']) || textOf(source[name]) };
  });
}

/** A block source with its enclosing block sources. */
export interface EnclosedSource {
  readonly source: BlockSource;
  readonly parent: EnclosedSource | null;
}

/**
 * Resolves a name used by a block in `parent`. It is a variable if the nearest module has one of a matching type; any
 * other name stands for itself. The value may in turn be a variable of the next enclosing module.
 */
export function resolveName(name: string, to: ReferenceTarget, parent: EnclosedSource | null): string {
  let value = name;
  for (let around = enclosingModule(parent); around !== null; around = enclosingModule(around.parent)) {
    const variable = variableNamed(around.source, value);
    if (variable === undefined || variable.type !== variableTypes[to] || variable.value === '') return value;
    value = variable.value;
  }
  return value;
}

const variableNamed = (module: BlockSource, name: string): ModuleVariable | undefined =>
  moduleVariables(module).find((variable) => variable.name === name);

export function enclosingModule(block: EnclosedSource | null): EnclosedSource | null {
  for (let around = block; around !== null; around = around.parent) if (isModule(around.source)) return around;
  return null;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
