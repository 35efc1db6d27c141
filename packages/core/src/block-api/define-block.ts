/** `defineBlock`: the entry point for writing a block type. */
import type { z } from 'zod';
import { assertBlockType } from './block-type-check.js';
import type { BlockType } from './block-type.js';

/** A block type as its author writes it. Event names are literal types, so the compiler can check them. */
export interface BlockSpec<Options, Input, InputEvent extends string, Output extends string> extends BlockType<
  NoInfer<Options>,
  NoInfer<Input>,
  NoInfer<InputEvent>,
  NoInfer<Output>
> {
  readonly options?: z.ZodType<Options>;
  readonly input?: z.ZodType<Input>;
  readonly inputs?: readonly InputEvent[];
  /**
   * Use a function if the outputs depend on the options or on the tags of children, and place it before the members
   * that receive a context, so that types are inferred.
   */
  readonly outputs?:
    readonly Output[] | ((options: NoInfer<Options>, childTags: readonly string[]) => readonly Output[]);
}

/**
 * Defines a block type. The types of options, input and events are inferred: nothing needs an annotation.
 *
 * ```ts
 * const ballotBlock = defineBlock({
 *   type: 'ballotBlock',
 *   title: 'Ballot',
 *   description: 'Each user votes once.',
 *   kind: 'interface',
 *   options: z.object({ choices: z.array(z.string()) }),
 *   input: z.object({ choice: z.string() }),
 *   outputs: ['VotedEvent'],
 *   receive(ctx, { choice }) {
 *     ctx.emit('VotedEvent', { choice });
 *   },
 * });
 * createEngine({ blocks: [ballotBlock] });
 * ```
 *
 * @throws OPTION_INVALID for an unknown member, a handler for an input that the block does not have, and the like.
 */
export function defineBlock<
  Options = object,
  Input = unknown,
  const InputEvent extends string = never,
  const Output extends string = never,
>(spec: BlockSpec<Options, Input, InputEvent, Output>): BlockType {
  assertBlockType(spec);
  return spec;
}
