/** Edits as data: blocks to add, copies with tags of their own, and settings deep inside an option. */
import type { CallArgs, CallResult } from '@blockwork/client';

export type EditOperation = CallArgs<'checkPolicy'>['body']['operations'][number];
export type Definition = CallResult<'getDefinition'>['data'];
export type BlockType = CallResult<'listBlockTypes'>['data'][number];
/** A block as a policy file holds it. */
export type Source = Readonly<Record<string, unknown>>;

export type Steps = readonly (string | number)[];

export const pointerOf = (steps: Steps): string =>
  steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

export const stepsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

export const isRecord = (value: unknown): value is Source =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const memberOf = (value: unknown, step: string | number): unknown => {
  if (Array.isArray(value)) return value[Number(step)] as unknown;
  return isRecord(value) && Object.hasOwn(value, step) ? value[step] : undefined;
};

export const valueIn = (value: unknown, steps: Steps): unknown => steps.reduce(memberOf, value);

/** A block by its id, as the definition has it. */
export type SourceOf = (id: string) => Source | undefined;

/** Edits, or what they are once those before them are saved: a list may be shown as it was before several clicks. */
export type Edits = readonly EditOperation[] | ((sourceOf: SourceOf) => readonly EditOperation[]);

export const operationsOf = (edits: Edits, sourceOf: SourceOf): readonly EditOperation[] =>
  typeof edits === 'function' ? edits(sourceOf) : edits;

const within =
  (id: string, edits: (block: Source) => readonly EditOperation[]): Edits =>
  (sourceOf) => {
    const block = sourceOf(id);
    return block === undefined ? [] : edits(block);
  };

/** Sets, or with `undefined` removes, what is at these steps of a block. */
export const setting = (id: string, steps: Steps, value: unknown): Edits =>
  within(id, (block) => settingIn(id, block, steps, value));

/** Adds an entry to the list at these steps of a block. */
export const appending = (id: string, steps: Steps, entry: unknown): Edits =>
  within(id, (block) => settingIn(id, block, [...steps, entriesAt(block, steps).length], entry));

/** Removes an entry from the list at these steps of a block: the first that is equal. */
export const removing = (id: string, steps: Steps, entry: unknown): Edits =>
  within(id, (block) => {
    const json = JSON.stringify(entry);
    const at = entriesAt(block, steps).findIndex((each) => JSON.stringify(each) === json);
    return at === -1 ? [] : settingIn(id, block, [...steps, at], undefined);
  });

const entriesAt = (block: Source, steps: Steps): readonly unknown[] => {
  const list = valueIn(block, steps);
  return Array.isArray(list) ? (list as readonly unknown[]) : [];
};

/** What is missing on the way is made: a list where the next step is a number, otherwise an object. */
function settingIn(id: string, block: Source, steps: Steps, value: unknown): EditOperation[] {
  if (value === undefined) {
    const path = pointerOf(steps);
    return valueIn(block, steps) === undefined ? [] : [{ op: 'unsetOption', block: id, path }];
  }
  let depth = 0;
  while (depth < steps.length - 1 && isHolder(valueIn(block, steps.slice(0, depth + 1)))) depth += 1;
  const nestedValue = steps
    .slice(depth + 1)
    .reduceRight<unknown>((inner, step) => (typeof step === 'number' ? [inner] : { [step]: inner }), value);
  return [{ op: 'setOption', block: id, path: pointerOf(steps.slice(0, depth + 1)), value: nestedValue }];
}

const isHolder = (value: unknown): boolean => Array.isArray(value) || isRecord(value);

/** The tag, or with a number the first that is free. */
export function freeTag(wanted: string, takenTags: ReadonlySet<string>): string {
  if (!takenTags.has(wanted)) return wanted;
  for (let count = 2; ; count += 1)
    if (!takenTags.has(`${wanted}_${String(count)}`)) return `${wanted}_${String(count)}`;
}

export const tagFromTitle = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '');

/** A new block, open to whom its neighbours are open to. */
export const newBlock = (
  { type, title, kind }: BlockType,
  takenTags: ReadonlySet<string>,
  permissions: readonly string[],
): { blockType: string; tag: string } & Record<string, unknown> => ({
  blockType: type,
  tag: freeTag(tagFromTitle(title), takenTags),
  permissions: [...permissions],
  defaultActive: kind !== 'server',
  children: [],
});

/** Members that name blocks by their tags. */
const namesBlocks: ReadonlySet<string> = new Set([
  ...['tag', 'source', 'target', 'dependencies', 'finalBlocks', 'errorFallbackTag'],
  ...['bindGroup', 'bindBlock', 'bindBlocks'],
]);

/** A copy of blocks without ids, whose tags are free: what names one of them within the copy names the new one. */
export function copyWithOwnTags<Block extends Source>(block: Block, takenTags: ReadonlySet<string>): Block {
  const all = new Set(takenTags);
  const renamed = new Map<string, string>();
  for (const tag of tagsIn(block)) {
    const free = freeTag(tag, all);
    renamed.set(tag, free);
    all.add(free);
  }
  return copy(block, renamed) as Block;
}

function tagsIn(block: Source): string[] {
  const own = typeof block['tag'] === 'string' && block['tag'] !== '' ? [block['tag']] : [];
  return [...own, ...childrenOf(block).flatMap(tagsIn)];
}

export const childrenOf = ({ children }: Source): readonly Source[] =>
  Array.isArray(children) ? children.filter(isRecord) : [];

function copy(value: unknown, renamed: ReadonlyMap<string, string>, name = ''): unknown {
  if (typeof value === 'string') return namesBlocks.has(name) ? (renamed.get(value) ?? value) : value;
  if (Array.isArray(value)) return value.map((each) => copy(each, renamed, name));
  if (!isRecord(value)) return value;
  const isBlock = typeof value['blockType'] === 'string';
  const members = Object.entries(value).filter(([member]) => !(isBlock && member === 'id'));
  // Buttons have tags too, which are no tags of blocks.
  const isOfBlock = (member: string): boolean => member !== 'tag' || isBlock;
  return Object.fromEntries(
    members.map(([member, each]) => [member, copy(each, isOfBlock(member) ? renamed : none, member)]),
  );
}

const none: ReadonlyMap<string, string> = new Map();
