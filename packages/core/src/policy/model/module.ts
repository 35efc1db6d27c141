/** Modules and tools: containers with named ports, and with variables that the blocks inside may name. */
import { isObject, type BlockSource } from '../../records/index.js';
import type { ReferenceTarget } from './reference.js';

const moduleTypes: ReadonlySet<string> = new Set(['module', 'tool']);

export const isModule = ({ blockType }: Pick<BlockSource, 'blockType'>): boolean => moduleTypes.has(blockType);

/** The variable types of the format, by what the options of blocks refer to; none stands for a field. */
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
  /** As the policy gives it; empty where it gives none. */
  readonly value: string;
}

/** The variables of a module or tool. Its policy writes each value into a member of that name. */
export function moduleVariables(source: Readonly<Record<string, unknown>>): ModuleVariable[] {
  const variables: unknown[] = Array.isArray(source['variables']) ? source['variables'] : [];
  return variables.filter(isObject).map((variable) => {
    const [name, type] = [textOf(variable['name']), textOf(variable['type'])];
    return { name, type, value: textOf(variable['value']) || textOf(source[name]) };
  });
}

/** A block source with the block sources around it. */
export interface Surrounded {
  readonly source: BlockSource;
  readonly parent: Surrounded | null;
}

/**
 * What a name means to a block in `parent`. A variable of the nearest module counts, if its type fits; any other name
 * stands for itself. What a module gets may be the name of a variable of the module around it.
 */
export function meaningOf(name: string, to: ReferenceTarget, parent: Surrounded | null): string {
  let value = name;
  for (let around = moduleAround(parent); around !== null; around = moduleAround(around.parent)) {
    const variable = variableCalled(around.source, value);
    if (variable === undefined || variable.type !== variableTypes[to] || variable.value === '') return value;
    value = variable.value;
  }
  return value;
}

const variableCalled = (module: BlockSource, name: string): ModuleVariable | undefined =>
  moduleVariables(module).find((variable) => variable.name === name);

export function moduleAround(block: Surrounded | null): Surrounded | null {
  for (let around = block; around !== null; around = around.parent) if (isModule(around.source)) return around;
  return null;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
