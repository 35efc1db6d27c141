/** The changes that a finding itself suggests, as edits. */
import type { Finding } from '../../policy/finding.js';
import { blockAtPointer, linksOf, permissionsOf, type BlockAt, type Blocks } from '../draft/blocks.js';
import {
  isRecord,
  newBlock,
  pointerOf,
  stepsOf,
  valueIn,
  type BlockType,
  type Definition,
  type EditOperation,
  type Source,
} from '../draft/operations.js';
import { studioTexts } from '../texts.js';

const texts = studioTexts.findings.fixes;

export interface Fix {
  readonly label: string;
  readonly operations: readonly EditOperation[];
}

/** Proposals of one kind, of which there may be many. */
const MOST = 4;

type Suggestion = NonNullable<Finding['suggestions']>[number];

interface Draft {
  readonly definition: Definition;
  readonly blocks: Blocks;
  readonly types: ReadonlyMap<string, BlockType>;
}

export const suggestedFixes = ({ suggestions = [], pointer }: Finding, draft: Draft): readonly Fix[] =>
  suggestions.slice(0, MOST).flatMap((suggestion) => {
    if ('schema' in suggestion && suggestion.schema !== undefined)
      return inSchema(suggestion, suggestion.schema, draft.definition);
    return pointer === undefined ? inBlocks(suggestion, draft) : besideBlocks(suggestion, draft.definition);
  });

function inBlocks(suggestion: Suggestion, { definition, blocks, types }: Draft): Fix[] {
  const { id, steps } = blockAtPointer(definition.config, suggestion.at);
  const block = blocks.byId.get(id);
  if (block === undefined) return [];
  if (suggestion.kind === 'value') return used(block, steps, suggestion.value);
  if (suggestion.kind === 'removal') return removed(block, steps);
  return suggestion.kind === 'name' ? renamed(block, steps, suggestion.name) : added(block, suggestion, blocks, types);
}

function removed(block: BlockAt, steps: readonly string[]): Fix[] {
  const [list, position] = steps;
  if (list === 'events' && steps.length === 2) {
    const link = linksOf(block.source)[Number(position)];
    const operations = disconnecting(block, Number(position));
    return link === undefined ? [] : [{ label: texts.removeLink(link.target), operations }];
  }
  if (valueIn(block.source, steps) === undefined) return [];
  const operation: EditOperation = { op: 'unsetOption', block: block.id, path: pointerOf(steps) };
  return [{ label: texts.remove(steps.at(-1) ?? ''), operations: [operation] }];
}

function used(block: BlockAt, steps: readonly string[], value: unknown): Fix[] {
  const [list, position, end] = steps;
  if (list === 'events' && position !== undefined && end !== undefined) return led(block, Number(position), end, value);
  const operation: EditOperation = { op: 'setOption', block: block.id, path: pointerOf(steps), value };
  return [{ label: texts.use(String(value)), operations: [operation] }];
}

/** The link with another end. */
function led(block: BlockAt, position: number, end: string, value: unknown): Fix[] {
  const link = linksOf(block.source)[position];
  if (link === undefined) return [];
  const gone = disconnecting(block, position);
  const mended: EditOperation = {
    ...{ op: 'connect', block: block.id, index: position },
    link: { actor: '', ...link, [end]: String(value) },
  };
  return [{ label: texts.leadTo(String(value)), operations: [...gone, mended] }];
}

const ends = ['target', 'source', 'output', 'input'] as const;

/** Removes the link at this position; there may be others of the same ends. */
export function disconnecting(block: BlockAt, position: number): readonly EditOperation[] {
  const links = linksOf(block.source);
  const link = links[position];
  if (link === undefined) return [];
  const index = links.slice(0, position).filter((other) => ends.every((end) => other[end] === link[end])).length;
  return [{ op: 'disconnect', block: block.id, link, index }];
}

/** The member of another name. */
function renamed(block: BlockAt, steps: readonly string[], name: string): Fix[] {
  const value = valueIn(block.source, steps);
  const to = [...steps.slice(0, -1), name];
  const isTaken = valueIn(block.source, to) !== undefined;
  // Children are blocks: they cannot be set as an option, but each can be added.
  if (name === 'children' && steps.length === 1) return adopted(block, steps, value);
  if (value === undefined || isTaken) return [];
  const operations: EditOperation[] = [
    { op: 'unsetOption', block: block.id, path: pointerOf(steps) },
    { op: 'setOption', block: block.id, path: pointerOf(to), value },
  ];
  return [{ label: texts.rename(name), operations }];
}

function adopted(block: BlockAt, steps: readonly string[], value: unknown): Fix[] {
  const children: unknown[] = Array.isArray(value) ? value : [value];
  if (!children.every(isBlock)) return [];
  const operations: EditOperation[] = [
    { op: 'unsetOption', block: block.id, path: pointerOf(steps) },
    ...children.map((child) => ({ op: 'addBlock', parent: block.id, block: child }) as const),
  ];
  return [{ label: texts.rename('children'), operations }];
}

const isBlock = (value: unknown): value is { readonly blockType: string } =>
  isRecord(value) && typeof value['blockType'] === 'string' && value['blockType'] !== '';

function added(
  block: BlockAt,
  { blockType, place }: Extract<Suggestion, { kind: 'block' }>,
  { tags }: Blocks,
  types: ReadonlyMap<string, BlockType>,
): Fix[] {
  const type = types.get(blockType);
  const isAfter = place === 'after';
  const parent = isAfter ? block.parent : block.id;
  if (type === undefined || parent === null) return [];
  const spot = { parent, ...(isAfter && { index: block.index + 1 }) };
  const missing = newBlock(type, tags, permissionsOf(block.source));
  const operation: EditOperation = { op: 'addBlock', ...spot, block: missing };
  const label = isAfter ? texts.addAfter(type.title, block.tag || block.type) : texts.add(type.title);
  return [{ label, operations: [operation] }];
}

/** In the document of one of the policy's own schemas. */
function inSchema(suggestion: Suggestion, iri: string, { schemas }: Definition): Fix[] {
  const entry = schemas.find((schema) => iriOf(schema) === iri);
  const steps = ['document', ...stepsOf(suggestion.at)];
  const present = valueIn(entry, steps);
  if (entry === undefined || present === undefined) return [];
  const isValue = suggestion.kind === 'value';
  if (!isValue && suggestion.kind !== 'removal') return [];
  const value = isValue ? withValue(entry, steps, suggestion.value) : without(entry, steps);
  const name = typeof present === 'string' ? present : (steps.at(-1) ?? '');
  const label = isValue ? texts.use(String(suggestion.value)) : texts.remove(name);
  return [{ label, operations: [{ op: 'setEntry', list: 'schemas', entry: iri, value }] }];
}

const iriOf = (schema: Source): unknown => schema['iri'] ?? valueIn(schema, ['document', '$id']);

const lists = ['policyGroups', 'policyTopics', 'policyTokens', 'policyNavigation', 'tokens'] as const;

/** In an entry of a list of the policy. */
function besideBlocks(suggestion: Suggestion, definition: Definition): Fix[] {
  const [part, position, ...steps] = stepsOf(suggestion.at);
  const list = lists.find((each) => each === part);
  if (suggestion.kind !== 'value' || list === undefined || steps.length === 0) return [];
  const { value } = suggestion;
  const entry: unknown = definition[list][Number(position)];
  if (valueIn(entry, steps) === undefined) return [];
  const operation = { op: 'setEntry', list, entry: Number(position), value: withValue(entry, steps, value) } as const;
  return [{ label: texts.use(String(value)), operations: [operation] }];
}

function without(holder: unknown, [step = '', ...rest]: readonly string[]): unknown {
  if (rest.length > 0) return withValue(holder, [step], without(valueIn(holder, [step]), rest));
  if (Array.isArray(holder)) return holder.filter((_, at) => String(at) !== step);
  return isRecord(holder) ? Object.fromEntries(Object.entries(holder).filter(([name]) => name !== step)) : holder;
}

function withValue(holder: unknown, steps: readonly string[], value: unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (Array.isArray(holder)) {
    return holder.map((each: unknown, at) => (String(at) === step ? withValue(each, rest, value) : each));
  }
  return isRecord(holder) ? { ...holder, [step]: withValue(holder[step], rest, value) } : holder;
}
