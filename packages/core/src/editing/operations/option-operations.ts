/** Operations on the options of a block, and on the members that every block has. */
import { z } from 'zod';
import { pointerOf } from '../../policy/index.js';
import { describeDetails, toDetails } from '../../problem-details.js';
import { cloneJson, isObject, type BlockSource } from '../../records/index.js';
import type { Applied, OperationOf } from './applied.js';
import type { EditDraft } from './edit-draft.js';
import { indexOf, memberAfter, setMember, stepsOf, valueAt } from './json-place.js';
import { blockPlace, optionPlace } from './places.js';

const DEEPEST = 100;

/** Members with operations of their own. */
const otherwise: ReadonlyMap<string, string> = new Map([
  ['id', 'the id of a block does not change'],
  ['tag', 'use renameTag, which renames the references as well'],
  ['children', 'use addBlock, removeBlock and moveBlock'],
  ['events', 'use connect and disconnect'],
]);

const texts = z.array(z.string());
const links = z.array(
  z.looseObject({
    source: z.string(),
    target: z.string(),
    output: z.string(),
    input: z.string(),
    actor: z.enum(['', 'owner', 'issuer']).nullable(),
    disabled: z.boolean(),
  }),
);

/** What the rest of the engine relies on. */
const common = z.looseObject({
  blockType: z.string().min(1),
  permissions: texts,
  defaultActive: z.boolean(),
  uiMetaData: z.record(z.string(), z.unknown()),
  dependencies: texts,
  innerEvents: links.optional(),
  onErrorAction: z.string().optional(),
  stopPropagation: z.boolean().optional(),
  // Read as a holder of options in old files.
  options: z.custom((value) => !isObject(value), 'cannot be an object: set its members as options').optional(),
});

export function setOption(draft: EditDraft, operation: OperationOf<'setOption'>): Applied {
  const opened = open(draft, operation);
  const applied = setAt(draft, operation, opened);
  assertBlock(draft, opened.block, '/value');
  return applied;
}

function setAt(
  draft: EditDraft,
  { op, path, value, before, insert }: OperationOf<'setOption'>,
  { block, target, last, steps }: OpenedOption,
): Applied {
  if (value === undefined) return draft.refuse('/value', 'the value is missing');
  if (Array.isArray(target)) {
    const index = last === '-' ? target.length : indexOf(last);
    if (index === null || index > target.length) {
      return draft.refuse(
        '/path',
        `the list has ${String(target.length)} items; the last step must be an index or "-"`,
      );
    }
    const at = pointerOf([...steps.slice(0, -1), index]);
    const whole = pointerOf(steps.slice(0, -1));
    if (insert === true || index === target.length) {
      target.splice(index, 0, cloneJson(value));
      return {
        operation: { op, block: block.id, path: at, value, ...(index < target.length - 1 && { insert: true }) },
        inverse: { op: 'unsetOption', block: block.id, path: at },
        writes: [optionPlace(block.id, whole)],
        reads: [blockPlace(block.id)],
      };
    }
    const old: unknown = target[index];
    target[index] = cloneJson(value);
    return set(block, at, value, old, {});
  }
  const old = Object.hasOwn(target, last) ? target[last] : undefined;
  setMember(target, last, cloneJson(value), before);
  if (old !== undefined) return set(block, path, value, old, {});
  const placed = before === undefined ? {} : { before };
  return { ...set(block, path, value, null, placed), inverse: { op: 'unsetOption', block: block.id, path } };
}

const set = (
  { id }: BlockSource,
  path: string,
  value: unknown,
  old: unknown,
  placed: { readonly before?: string },
): Applied => ({
  operation: { op: 'setOption', block: id, path, value, ...placed },
  inverse: { op: 'setOption', block: id, path, value: old },
  writes: [optionPlace(id, path)],
  reads: [blockPlace(id)],
});

export function unsetOption(draft: EditDraft, operation: OperationOf<'unsetOption'>): Applied {
  const opened = open(draft, operation);
  const applied = unsetAt(draft, operation, opened);
  assertBlock(draft, opened.block, '/path');
  return applied;
}

function unsetAt(
  draft: EditDraft,
  { op, path }: OperationOf<'unsetOption'>,
  { block, target, last, steps }: OpenedOption,
): Applied {
  const value = valueAt(target, [last]);
  if (value === undefined) return draft.refuse('/path', `the block has no "${path}"`);
  const reads = [blockPlace(block.id)];
  const inverse = { op: 'setOption', block: block.id, path, value } as const;
  if (Array.isArray(target)) {
    const index = Number(last);
    target.splice(index, 1);
    return {
      operation: { op, block: block.id, path },
      inverse: { ...inverse, ...(index < target.length && { insert: true }) },
      writes: [optionPlace(block.id, pointerOf(steps.slice(0, -1)))],
      reads,
    };
  }
  const before = memberAfter(target, last);
  Reflect.deleteProperty(target, last);
  return {
    operation: { op, block: block.id, path },
    inverse: { ...inverse, ...(before !== undefined && { before }) },
    writes: [optionPlace(block.id, path)],
    reads,
  };
}

interface OpenedOption {
  readonly block: BlockSource;
  /** The object or list that holds the option. */
  readonly target: Record<string, unknown> | unknown[];
  readonly last: string;
  readonly steps: readonly string[];
}

function open(draft: EditDraft, { block: reference, path }: { block: string; path: string }): OpenedOption {
  const { block } = draft.block(reference);
  const steps = stepsOf(path);
  const [first = '', last = ''] = [steps[0], steps.at(-1)];
  if (steps.length > DEEPEST) draft.refuse('/path', `it has more than ${String(DEEPEST)} steps`);
  const instead = otherwise.get(first);
  if (instead !== undefined) draft.refuse('/path', `"${path}" is not set like an option: ${instead}`);
  const target = valueAt(block, steps.slice(0, -1));
  if (!isObject(target) && !Array.isArray(target)) {
    return draft.refuse('/path', `"${pointerOf(steps.slice(0, -1))}" is neither an object nor a list; set it first`);
  }
  return { block, target: target as OpenedOption['target'], last, steps };
}

function assertBlock(draft: EditDraft, block: BlockSource, member: string): void {
  const checked = common.safeParse(block);
  if (!checked.success) draft.refuse(member, describeDetails(toDetails(checked.error), 'the block'));
}
