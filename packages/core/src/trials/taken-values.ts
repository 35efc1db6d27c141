/** Which parts of what somebody sends they took from the page: ids and rows that will be others when it is played again. */
import { isObject, sameJson, valueAt } from '../records/index.js';
import type { Json, JsonObject, StepSource } from '../records/index.js';

/** What the sender could read. */
export interface Seen {
  readonly tag: string;
  readonly answer: Json;
}

interface Taken {
  readonly body: Json;
  readonly sources: StepSource[];
}

/** Made by the engine, as it looks: one word of some length with a digit in it, or the id of a message. */
const GENERATED = /^(?=\S*\d)\S{12,}$/;
/** A path is dotted, so that no part of it may have a dot. */
const NAMEABLE = /^[^.]+$/;
/** Conditions that are tried to tell a row from the others. */
const CONDITIONS_AT_MOST = 24;

/** The body with `${name...}` and `$row` in place of what was found. `step`: its number, which makes names unique. */
export async function taken(body: Json, step: number, answers: AsyncIterable<Seen>): Promise<Taken> {
  const open = new Set(generatedIn(body));
  if (open.size === 0) return { body, sources: [] };
  const sources: StepSource[] = [];
  const found = new Map<string, string>();
  const rows = new Map<string, { readonly name: string; readonly row: JsonObject }>();
  const named = (find: StepSource['find'], tag: string): string => {
    const name = `${'path' in find && !/^data\.\d+$/.test(find.path) ? 'value' : 'row'}${String(step)}${sources.length === 0 ? '' : `_${String(sources.length + 1)}`}`;
    sources.push({ name, tag, find });
    return name;
  };
  for await (const { tag, answer } of answers) {
    for (const [at, row] of rowsOf(answer).entries()) {
      const { id } = row;
      if (typeof id !== 'string' || !open.has(id)) continue;
      const name = named(conditionFor(row, at, rowsOf(answer)), tag);
      rows.set(id, { name, row });
      for (const text of open) {
        const path = pathOf(row, text);
        if (path !== undefined) found.set(text, `${name}.${path}`);
      }
      for (const text of found.keys()) open.delete(text);
    }
    for (const text of open) {
      const path = pathOf(answer, text);
      if (path === undefined) continue;
      found.set(text, named({ path }, tag));
      open.delete(text);
    }
    if (open.size === 0) break;
  }
  return { body: replaced(body, rows, found), sources };
}

function* generatedIn(value: Json): Generator<string, void> {
  if (typeof value === 'string' && GENERATED.test(value)) yield value;
  if (Array.isArray(value)) for (const each of value) yield* generatedIn(each);
  else if (isObject(value)) for (const each of Object.values(value)) yield* generatedIn(each);
}

function rowsOf(answer: Json): JsonObject[] {
  const data = valueAt(answer, 'data');
  return Array.isArray(data) && data.every(isObject) ? (data as JsonObject[]) : [];
}

/** Where the text stands, if it can be named. */
function pathOf(value: Json, text: string): string | undefined {
  if (!isObject(value) && !Array.isArray(value)) return undefined;
  for (const [key, member] of Object.entries(value as JsonObject)) {
    if (!NAMEABLE.test(key)) continue;
    if (member === text) return key;
    const below = pathOf(member, text);
    if (below !== undefined) return `${key}.${below}`;
  }
  return undefined;
}

/** What no other row has: one value, else two; where that does not tell it, its place. */
function conditionFor(row: JsonObject, at: number, rows: readonly JsonObject[]): StepSource['find'] {
  const candidates = [...scalarsOf(row)].slice(0, CONDITIONS_AT_MOST);
  const fits = (other: JsonObject, where: readonly (readonly [string, Json])[]): boolean =>
    where.every(([path, value]) => sameJson(valueAt(other, path), value));
  const isAlone = (where: readonly (readonly [string, Json])[]): boolean =>
    rows.filter((other) => fits(other, where)).length === 1;
  for (const one of candidates) if (isAlone([one])) return { where: Object.fromEntries([one]) };
  for (const [first, one] of candidates.entries()) {
    for (const two of candidates.slice(first + 1))
      if (isAlone([one, two])) return { where: Object.fromEntries([one, two]) };
  }
  return { path: `data.${String(at)}` };
}

/** What people entered, then the status: values that will be the same when the script is played. */
function* scalarsOf(row: JsonObject): Generator<readonly [string, Json], void> {
  const subject = 'document.credentialSubject.0';
  for (const [parent, value] of [
    [subject, valueAt(row, subject)],
    ['option', row['option']],
  ] as const) {
    if (!isObject(value)) continue;
    for (const [key, member] of Object.entries(value as JsonObject)) {
      const isGenerated = typeof member === 'string' && (GENERATED.test(member) || member === '');
      const isScalar = typeof member === 'string' || typeof member === 'number' || typeof member === 'boolean';
      if (NAMEABLE.test(key) && isScalar && !isGenerated && key !== 'type') yield [`${parent}.${key}`, member];
    }
  }
}

function replaced(
  value: Json,
  rows: ReadonlyMap<string, { readonly name: string; readonly row: JsonObject }>,
  found: ReadonlyMap<string, string>,
): Json {
  if (typeof value === 'string') {
    const path = found.get(value);
    return path === undefined ? value : `\${${path}}`;
  }
  if (Array.isArray(value)) return value.map((each) => replaced(each, rows, found));
  if (!isObject(value)) return value;
  const row = typeof value['id'] === 'string' ? rows.get(value['id']) : undefined;
  if (row !== undefined) {
    const set = Object.fromEntries(
      [...changes(value, row.row)].map(([path, member]) => [path, replaced(member, rows, found)]),
    );
    return { $row: row.name, ...(Object.keys(set).length > 0 && { set }) };
  }
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, replaced(member, rows, found)]));
}

/** What the sender changed in the row, by path. */
function* changes(sent: JsonObject, row: JsonObject, parent = ''): Generator<readonly [string, Json], void> {
  for (const [key, value] of Object.entries(sent)) {
    const before = row[key];
    if (!NAMEABLE.test(key) || sameJson(value, before)) continue;
    const path = parent + key;
    if (isObject(value) && isObject(before)) yield* changes(value, before, `${path}.`);
    else yield [path, value];
  }
}
