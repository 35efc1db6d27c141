/** Leaves: journal entries without their content. */
import { digestOf } from '../crypto/digest.js';
import { isObject, type JsonObject } from '../json.js';

export interface Leaf {
  /** Of the entry. */
  readonly id: string;
  readonly at: string;
  /** SHA-256 of the canonical JSON of its `documents` and `effects`, in hexadecimal digits. */
  readonly outcome: string;
  /** The same of everything else in it. */
  readonly course: string;
}

/** The data of a leaf. */
export const leafData = ({ id, at, outcome, course }: Leaf): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(JSON.stringify({ id, at, outcome, course }));

/** `undefined` for data that says something else, or says it in another way. */
export function readLeaf(data: Uint8Array): Leaf | undefined {
  const text = new TextDecoder().decode(data);
  const value = jsonIn(text);
  if (!isObject(value)) return undefined;
  const { id, at, outcome, course } = value;
  if (typeof id !== 'string' || typeof at !== 'string') return undefined;
  if (typeof outcome !== 'string' || typeof course !== 'string') return undefined;
  return JSON.stringify({ id, at, outcome, course }) === text ? { id, at, outcome, course } : undefined;
}

/** The leaf of an entry. */
export async function leafOf(entry: JsonObject): Promise<Leaf> {
  const { id, at, documents = null, effects = null, ...course } = entry;
  return {
    id: typeof id === 'string' ? id : '',
    at: typeof at === 'string' ? at : '',
    outcome: await digestOf({ documents, effects }),
    course: await digestOf(course),
  };
}

/** `undefined` for what is no JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
