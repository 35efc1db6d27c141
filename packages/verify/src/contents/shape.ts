/** Shapes of JSON: small checks that say where a value differs. */
import { isObject, type Json } from '../json.js';

/** What is wrong with a value, or `null`. */
export type Shape = (value: Json, path: string) => string | null;

const OPTIONAL = new WeakSet<Shape>();

const differs = (path: string, form: string): string => `${path === '' ? 'The bundle' : path} must be ${form}.`;

export const text =
  (pattern?: RegExp): Shape =>
  (value, path) =>
    typeof value === 'string' && (pattern === undefined || pattern.test(value))
      ? null
      : differs(path, pattern === undefined ? 'a text' : `a text like ${String(pattern)}`);

export const oneOf =
  (...words: readonly string[]): Shape =>
  (value, path) =>
    typeof value === 'string' && words.includes(value) ? null : differs(path, words.join(' or '));

/** The first and the last of a range of whole numbers. */
export const span: Shape = (value, path) =>
  Array.isArray(value) &&
  value.length === 2 &&
  value.every(Number.isSafeInteger) &&
  Number(value[0]) <= Number(value[1])
    ? null
    : differs(path, 'a first and a last whole number');

export const count =
  (most: number): Shape =>
  (value, path) =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most
      ? null
      : differs(path, `a whole number from 0 to ${String(most)}`);

export const object: Shape = (value, path) => (isObject(value) ? null : differs(path, 'an object'));

/** Also `null`. */
export const or =
  (shape: Shape): Shape =>
  (value, path) =>
    value === null ? null : shape(value, path);

export function optional(shape: Shape): Shape {
  const own: Shape = (value, path) => shape(value, path);
  OPTIONAL.add(own);
  return own;
}

export const each =
  (shape: Shape, most = Infinity): Shape =>
  (value, path) => {
    if (!Array.isArray(value)) return differs(path, 'a list');
    if (value.length > most) return differs(path, `a list of at most ${String(most)}`);
    for (const [at, item] of value.entries()) {
      const problem = shape(item, `${path}/${String(at)}`);
      if (problem !== null) return problem;
    }
    return null;
  };

/** An object with these members and no others: a member that nobody checks must not look as if it were. */
export const exactly =
  (members: Readonly<Record<string, Shape>>): Shape =>
  (value, path) => {
    if (!isObject(value)) return differs(path, 'an object');
    const unknown = Object.keys(value).find((name) => !Object.hasOwn(members, name));
    if (unknown !== undefined) return `${path}/${unknown} is not part of a bundle.`;
    for (const [name, shape] of Object.entries(members)) {
      const member = Object.hasOwn(value, name) ? value[name] : undefined;
      if (member === undefined) {
        if (OPTIONAL.has(shape)) continue;
        return `${path}/${name} is missing.`;
      }
      const problem = shape(member, `${path}/${name}`);
      if (problem !== null) return problem;
    }
    return null;
  };
