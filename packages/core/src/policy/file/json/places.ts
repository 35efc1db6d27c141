/** Where the values of JSON text are, by their JSON pointers. */
import { pointerStep } from '../../model/pointer.js';
import { jsonTokens } from './json-tokens.js';

/** Counted from 1, in UTF-16 units, as editors count. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

interface Level {
  /** `undefined` if nothing in it is looked for. */
  readonly pointer: string | undefined;
  readonly isList: boolean;
  /** The next item of a list, or the last name of an object. */
  step: number | string;
  expectsName: boolean;
}

/**
 * Reads the text once, and remembers only what is looked for. A member is where its name is. A pointer to nothing gets the
 * place of the nearest value around it; of equal names, as in `JSON.parse`, the last one counts.
 */
export function placesIn(text: string, pointers: Iterable<string>): ReadonlyMap<string, Place> {
  const wanted = new Set(pointers);
  const offsets = offsetsIn(text, withAncestors(wanted));
  const placeAt = placesOf(text);
  const places = new Map<string, Place>();
  for (const pointer of wanted) {
    let nearest = pointer;
    while (nearest !== '' && !offsets.has(nearest)) nearest = parentOf(nearest);
    const offset = offsets.get(nearest);
    if (offset !== undefined) places.set(pointer, placeAt(offset));
  }
  return places;
}

const parentOf = (pointer: string): string => pointer.slice(0, pointer.lastIndexOf('/'));

function withAncestors(pointers: Iterable<string>): Set<string> {
  const all = new Set<string>(['']);
  for (const pointer of pointers) {
    for (let each = pointer; each !== '' && !all.has(each); each = parentOf(each)) all.add(each);
  }
  return all;
}

function offsetsIn(text: string, wanted: ReadonlySet<string>): Map<string, number> {
  const offsets = new Map<string, number>();
  const levels: Level[] = [];
  const pointerAt = (level: Level | undefined): string | undefined => {
    if (level === undefined) return '';
    return level.pointer === undefined ? undefined : level.pointer + pointerStep(level.step);
  };
  const note = (pointer: string | undefined, start: number): void => {
    if (pointer !== undefined && wanted.has(pointer)) offsets.set(pointer, start);
  };
  for (const { kind, start, end } of jsonTokens(text)) {
    const level = levels.at(-1);
    const first = text.charAt(start);
    if (kind === 'comment' || first === ':') continue;
    if (first === '}' || first === ']') levels.pop();
    else if (first === ',') nextIn(level);
    else if (level?.expectsName === true) {
      level.expectsName = false;
      if (level.pointer === undefined) continue;
      level.step = nameIn(text.slice(start, end));
      note(pointerAt(level), start);
    } else {
      const pointer = pointerAt(level);
      if (level === undefined || level.isList) note(pointer, start);
      if (first !== '{' && first !== '[') continue;
      const isList = first === '[';
      const isWanted = pointer !== undefined && wanted.has(pointer);
      levels.push({ pointer: isWanted ? pointer : undefined, isList, step: isList ? 0 : '', expectsName: !isList });
    }
  }
  return offsets;
}

function nextIn(level: Level | undefined): void {
  if (level === undefined) return;
  if (typeof level.step === 'number') level.step++;
  else level.expectsName = true;
}

/** The text may be no JSON: then the name is whatever it says. */
function nameIn(written: string): string {
  try {
    return String(JSON.parse(written));
  } catch {
    return written;
  }
}

/** For offsets in any order. */
function placesOf(text: string): (offset: number) => Place {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}
