/** Leaves: what a log says about an entry of the journal. */
import { hash } from 'node:crypto';
import type { JournalEntry } from '../records/index.js';

/**
 * An entry without its content, in two parts, so that what a unit of work changed can be shown without who started it and
 * which blocks ran. Each part is the SHA-256 of canonical JSON (RFC 8785), in hexadecimal digits.
 */
export interface LogLeaf {
  /** The id of the entry. */
  readonly id: string;
  readonly at: string;
  /** Of its `documents` and `effects`. */
  readonly outcome: string;
  /** Of everything else in it. */
  readonly course: string;
}

export function leafOf({ id, at, documents, effects, ...course }: JournalEntry): LogLeaf {
  return { id, at, outcome: digest({ documents, effects }), course: digest(course) };
}

/** The bytes of a leaf: its members as JSON, in this order. */
export const leafData = ({ id, at, outcome, course }: LogLeaf): Buffer =>
  Buffer.from(JSON.stringify({ id, at, outcome, course }));

const digest = (value: object): string => hash('sha256', canonical(value), 'hex');

/**
 * Canonical JSON (RFC 8785). Unlike the library for credentials, it takes every text that can be stored, also one with half of a
 * surrogate pair, which is escaped: no entry may keep its unit from being committed. Each commit needs it twice, so entries
 * are made with their members in order, and `JSON.stringify` keeps that.
 */
const canonical = (value: object): string => (isInOrder(value) ? JSON.stringify(value) : spelledOut(value));

/** Whether each object in it lists its members as canonical JSON does. */
function isInOrder(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isInOrder);
  const object = value as Readonly<Record<string, unknown>>;
  let last = '';
  for (const name of Object.keys(object)) {
    if (name < last || !isInOrder(object[name])) return false;
    last = name;
  }
  return true;
}

function spelledOut(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => spelledOut(item ?? null)).join(',')}]`;
  const object = value as Readonly<Record<string, unknown>>;
  const members = Object.keys(object)
    .sort()
    .filter((name) => object[name] !== undefined)
    .map((name) => `${JSON.stringify(name)}:${spelledOut(object[name])}`);
  return `{${members.join(',')}}`;
}
