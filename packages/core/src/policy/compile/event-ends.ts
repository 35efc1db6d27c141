/** Which blocks can be the ends of a link: the events that they give, and those that they take. */
import type { CompiledBlock } from './compiled-block.js';
import { callDefinition } from './definition-guard.js';
import { commonInputs, commonOutputs, knownInputs } from '../model/event-names.js';

/** For the time of one compilation. */
export class EventEnds {
  readonly #outputs = new Map<CompiledBlock, ReadonlySet<string> | 'any'>();

  emits(block: CompiledBlock, output: string): boolean {
    if (commonOutputs.has(output)) return true;
    let outputs = this.#outputs.get(block);
    if (outputs === undefined) this.#outputs.set(block, (outputs = outputsOf(block)));
    return outputs === 'any' || outputs.has(output);
  }

  takes({ definition }: CompiledBlock, input: string): boolean {
    if (definition === null) return knownInputs.has(input);
    return commonInputs.has(input) || definition.about.inputs?.includes(input) === true;
  }
}

/** Blocks of unknown type, or without valid options, may give anything: buttons and conditions name outputs of their own. */
function outputsOf({ definition, options }: CompiledBlock): ReadonlySet<string> | 'any' {
  if (definition === null) return 'any';
  if (definition.outputs === undefined) return new Set(definition.about.outputs);
  if (options === null) return 'any';
  return new Set([...(definition.about.outputs ?? []), ...callDefinition(() => definition.outputs?.(options) ?? [])]);
}
