/** Changes the text of a JSON file where its value changes: layout and comments elsewhere stay. */
import { isObject } from '@blockwork/core/records';
import {
  applyEdits,
  findNodeAtLocation,
  modify,
  parseTree,
  type FormattingOptions,
  type JSONPath,
  type Node,
} from 'jsonc-parser';

/** Each change reads the text once more. If that were more characters than this, whole parts of the policy are written anew. */
const MOST_READ = 10_000_000;

interface TextChange {
  readonly path: JSONPath;
  /** Absent for what is removed. */
  readonly value?: unknown;
  /** Whether an item moves those behind it instead of replacing one. */
  readonly isInsertion?: boolean;
  /** Of a new member: the members before it. */
  readonly behind?: readonly string[];
}

/** The text for `after`; `text` is the one of `before`. */
export function editedText(text: string, before: unknown, after: unknown): string {
  const formattingOptions = layoutOf(text);
  const changes = changesOf(before, after, []);
  if (changes.length * text.length > MOST_READ && isObject(before) && isObject(after)) {
    return partChanges(before, after).reduce((written, change) => withPart(written, change, formattingOptions), text);
  }
  return changes.reduce((written, { path, value, isInsertion = false, behind }) => {
    if (value === undefined) return withoutPlace(written, path);
    const options = { formattingOptions, isArrayInsertion: isInsertion };
    const getInsertionIndex = (members: readonly string[]): number =>
      behind === undefined ? members.length : members.findLastIndex((name) => behind.includes(name)) + 1;
    return applyEdits(written, modify(written, path, value, { ...options, getInsertionIndex }));
  }, text);
}

/** With its comma. The library's own removal of an item damages some texts. */
function withoutPlace(text: string, path: JSONPath): string {
  const root = parseTree(text);
  const value = root && findNodeAtLocation(root, path);
  // The name of a member goes with its value.
  const node = typeof path.at(-1) === 'string' ? value?.parent : value;
  const { parent } = node ?? {};
  if (node === undefined || parent === undefined) return text;
  const siblings = parent.children ?? [];
  const at = siblings.indexOf(node);
  const [before, after] = [siblings[at - 1], siblings[at + 1]];
  const end = (each: Node): number => each.offset + each.length;
  const cut = (from: number, to: number, instead = ''): string => text.slice(0, from) + instead + text.slice(to);
  if (after !== undefined) return cut(node.offset, after.offset);
  if (before !== undefined) return cut(end(before), end(node));
  return cut(parent.offset, end(parent), parent.type === 'array' ? '[]' : '{}');
}

type Members = Readonly<Record<string, unknown>>;

function partChanges(before: Members, after: Members): TextChange[] {
  const gone = Object.keys(before).filter((name) => !(name in after));
  const changed = Object.entries(after).filter(([name, value]) => !same(before[name], value));
  return [...gone.map((name) => ({ path: [name] })), ...changed.map(([name, value]) => ({ path: [name], value }))];
}

/** As a change by the library, which would take long to lay out a large value. */
function withPart(text: string, { path, value }: TextChange, layout: FormattingOptions): string {
  const root = parseTree(text);
  const node = root && findNodeAtLocation(root, path);
  if (value === undefined) return withoutPlace(text, path);
  if (node === undefined) return applyEdits(text, modify(text, path, value, { formattingOptions: layout }));
  const { insertSpaces = true, tabSize = 2, eol = '\n' } = layout;
  const indent = insertSpaces ? ' '.repeat(tabSize) : '\t';
  const written = JSON.stringify(value, null, indent).replaceAll('\n', `${eol}${indent}`);
  return text.slice(0, node.offset) + written + text.slice(node.offset + node.length);
}

const same = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);

/** In an order in which each can be made after those before it. */
function changesOf(before: unknown, after: unknown, path: JSONPath): TextChange[] {
  if (same(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) return itemChanges(before, after, path);
  if (!isObject(before) || !isObject(after)) return [{ path, value: after }];
  const removed = Object.keys(before).filter((name) => !(name in after));
  const names = Object.keys(after);
  const members = Object.entries(after).flatMap(([name, value], at) =>
    name in before
      ? changesOf(before[name], value, [...path, name])
      : [{ path: [...path, name], value, behind: names.slice(0, at) }],
  );
  return [...removed.map((name) => ({ path: [...path, name] })), ...members];
}

function itemChanges(before: readonly unknown[], after: readonly unknown[], path: JSONPath): TextChange[] {
  const texts = [before, after].map((list) => list.map((item) => JSON.stringify(item)));
  const [old = [], now = []] = texts;
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  const [gone, come] = [old.length - end, now.length - end];
  // As many items as before: each is the changed one of before, and changes inside of it are made there.
  const both = gone === come ? gone : start;
  const changes: TextChange[] = [];
  for (let at = start; at < both; at += 1) changes.push(...changesOf(before[at], after[at], [...path, at]));
  for (let at = gone - 1; at >= both; at -= 1) changes.push({ path: [...path, at] });
  for (let at = both; at < come; at += 1) changes.push({ path: [...path, at], value: after[at], isInsertion: true });
  return changes;
}

function layoutOf(text: string): FormattingOptions {
  const [, indent = '  '] = /\n([ \t]+)\S/.exec(text) ?? [];
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return { insertSpaces: !indent.includes('\t'), tabSize: indent.includes('\t') ? 1 : indent.length, eol };
}
