/** Block types written as classes, taken until all of them are written with `defineBlock`. */
import type { z } from 'zod';
import type { BlockKind, BlockNode, Finding, PolicyTree } from '../policy/index.js';
import type { BlockType, EventHandler } from './block-type.js';

export interface Block<Options = unknown, Input = unknown> extends Pick<
  BlockType<Options, Input>,
  | 'pure'
  | 'read'
  | 'receive'
  | 'timetable'
  | 'external'
  | 'isOpen'
  | 'onChildRun'
  | 'select'
  | 'narrow'
  | 'page'
  | 'enrich'
  | 'answer'
  | 'assist'
  | 'references'
> {
  readonly about: {
    readonly type: string;
    readonly title: string;
    readonly description: string;
    readonly kind: BlockKind;
    readonly children?: 'any' | 'none' | readonly BlockKind[];
    readonly parents?: readonly string[];
    readonly inputs?: readonly string[];
    readonly outputs?: readonly string[];
  };
  readonly options: z.ZodType<Options>;
  readonly input?: z.ZodType<Input>;
  outputs?(options: Options): readonly string[];
  check?(node: BlockNode, options: Options, policy: PolicyTree): Finding[];
  readonly on?: Readonly<Record<string, EventHandler<Options>>>;
}

export type LegacyBlock = Block | (new () => Block);

const methods = [
  'read',
  'receive',
  'timetable',
  'external',
  'isOpen',
  'onChildRun',
  'select',
  'narrow',
  'page',
  'enrich',
  'answer',
  'assist',
  'references',
  'check',
] as const;

export type AnyBlockType = BlockType | LegacyBlock;

export const isLegacy = (type: unknown): type is LegacyBlock =>
  typeof type === 'function' || (typeof type === 'object' && type !== null && 'about' in type);

export function fromLegacy(type: LegacyBlock): BlockType {
  const block = typeof type === 'function' ? new type() : type;
  const { about, options, input, pure, on } = block;
  const bound = methods.flatMap((name) => {
    const method: unknown = Reflect.get(block, name);
    return typeof method === 'function' ? [[name, method.bind(block) as unknown] as const] : [];
  });
  const { outputs: fixed = [], ...facts } = about;
  return {
    ...facts,
    options,
    ...(input && { input }),
    ...(pure && { pure }),
    ...(on && { on: on }),
    outputs: block.outputs === undefined ? fixed : (given: unknown) => [...fixed, ...(block.outputs?.(given) ?? [])],
    ...(Object.fromEntries(bound) as Partial<BlockType>),
  };
}
