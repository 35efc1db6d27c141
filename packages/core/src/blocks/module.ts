/** `module`: a part of a policy with named ports, and with variables for its dependencies on the enclosing policy. */
import { z } from 'zod';
import { defineBlock, type BlockSpec } from '../block-api/index.js';
import { heading, tolerant } from '../block-kit/index.js';
import {
  finding,
  moduleVariables,
  pointerOf,
  referenceTargets,
  variableTypes,
  type BlockNode,
  type Finding,
  type Reference,
} from '../policy/index.js';
import { childSlots } from './child-slots.js';

const ports = tolerant
  .listOf(z.looseObject({ name: tolerant.text }))
  .transform((list) => list.map(({ name }) => name).filter((name) => name !== ''));

const moduleOptions = z.looseObject({ inputEvents: ports, outputEvents: ports });
type ModuleOptions = z.infer<typeof moduleOptions>;

/** Common to modules and tools. */
export const portedContainer = {
  kind: 'container',
  children: 'any',
  pure: true,
  options: moduleOptions,
  ports: portsOf,
  outputs: portsOf,
  references: (options) =>
    moduleVariables(options).flatMap(({ name, type, value }): Reference[] => {
      const to = referenceTargets.find((target) => variableTypes[target] === type);
      return to === undefined ? [] : [{ to, name: value, path: pointerOf([name]), severity: 'warning' }];
    }),
  check: moduleFindings,
  async read(ctx) {
    return { ...heading(ctx), uiMetaData: ctx.block.uiMetaData, blocks: await childSlots(ctx) };
  },
  /** Passes an event through the port: from outside to the children, or from a child to the outside. */
  onPort(ctx, { input, data, result }) {
    if (portsOf(ctx.options).includes(input)) ctx.emit(input, data, { result });
  },
} as const satisfies Partial<BlockSpec<ModuleOptions, unknown, never, string>>;

export const moduleBlock = defineBlock({
  type: 'module',
  title: 'Module',
  description:
    'A part of a policy, with named ports for events and variables for what it needs of the policy around it.',
  ...portedContainer,
});

function portsOf({ inputEvents, outputEvents }: ModuleOptions): string[] {
  return [...new Set([...inputEvents, ...outputEvents])];
}

function moduleFindings(node: BlockNode, { inputEvents, outputEvents }: ModuleOptions): Finding[] {
  return [
    ...repeated(inputEvents).map((name) => portTwice(node, 'inputEvents', name)),
    ...repeated(outputEvents).map((name) => portTwice(node, 'outputEvents', name)),
    ...variableFindings(node),
  ];
}

const repeated = (names: readonly string[]): string[] => [
  ...new Set(names.filter((name, index) => names.indexOf(name) < index)),
];

const portTwice = (node: BlockNode, member: string, name: string): Finding =>
  finding(node, { severity: 'warning', path: `/${member}`, message: `"${node.tag}" has two ports called "${name}".` });

const knownTypes: readonly string[] = Object.values(variableTypes);

const variableFindings = (node: BlockNode): Finding[] =>
  moduleVariables(node.source).flatMap(({ name, type, value }, index) => {
    const path = `/variables/${String(index)}`;
    if (!knownTypes.includes(type)) {
      const message = `The variable "${name}" of "${node.tag}" has the type "${type}", which is none of ${knownTypes.join(', ')}.`;
      return [finding(node, { severity: 'warning', path, message })];
    }
    if (value !== '') return [];
    const message = `"${node.tag}" gives its variable "${name}" no value, so the name stands for itself.`;
    return [finding(node, { severity: 'warning', path, message })];
  });
