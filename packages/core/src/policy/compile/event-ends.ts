/** The events that blocks emit and accept, for checking both ends of a link. */
import { meantBy } from '../../options/index.js';
import type { BlockNode } from '../model/policy-model.js';
import { commonOutputs, knownInputs, standardInputs } from '../model/event-names.js';
import { callDefinition } from './definition-guard.js';

/** Caches declared outputs for one compilation. */
export class EventEnds {
  readonly #outputs = new Map<BlockNode, ReadonlySet<string> | 'any'>();
  readonly #ports = new Map<BlockNode, ReadonlySet<string> | 'any'>();

  emits(block: BlockNode, output: string): boolean {
    if (commonOutputs.has(output)) return true;
    let outputs = this.#outputs.get(block);
    if (outputs === undefined) this.#outputs.set(block, (outputs = setOf(declaredOutputs(block))));
    return outputs === 'any' || outputs.has(output);
  }

  /** What was probably meant. */
  outputLike(block: BlockNode, output: string): string | undefined {
    return meantIn(output, this.#outputs.get(block)) ?? meantBy(output, commonOutputs);
  }

  inputLike(block: BlockNode, input: string): string | undefined {
    const declared = [...standardInputs, ...(block.definition?.inputs ?? [])];
    return meantIn(input, this.#ports.get(block)) ?? meantBy(input, declared);
  }

  takes(block: BlockNode, input: string): boolean {
    const { definition } = block;
    if (definition === null) return knownInputs.has(input);
    const standard: readonly string[] = standardInputs;
    if (standard.includes(input) || definition.inputs?.includes(input) === true) return true;
    let ports = this.#ports.get(block);
    if (ports === undefined) this.#ports.set(block, (ports = setOf(portsOf(block))));
    return ports === 'any' || ports.has(input);
  }
}

const meantIn = (name: string, known: ReadonlySet<string> | 'any' | undefined): string | undefined =>
  known === undefined || known === 'any' ? undefined : meantBy(name, known);

const setOf = (names: readonly string[] | 'any'): ReadonlySet<string> | 'any' =>
  names === 'any' ? names : new Set(names);

/** The inputs that the options name; `any` if they depend on invalid options. */
export function portsOf(block: BlockNode): readonly string[] | 'any' {
  const { definition, options } = block;
  if (definition?.ports === undefined) return [];
  return options === null ? 'any' : callDefinition(block, 'ports', () => definition.ports?.(options) ?? []);
}

/** The outputs declared by the block's type; `any` if the type is unknown or they depend on invalid options. */
export function declaredOutputs(block: BlockNode): readonly string[] | 'any' {
  const { definition, options, children } = block;
  if (definition === null) return 'any';
  const { outputs = [] } = definition;
  if (typeof outputs !== 'function') return outputs;
  return options === null
    ? 'any'
    : callDefinition(block, 'outputs', () =>
        outputs(
          options,
          children.map(({ tag }) => tag),
        ),
      );
}
