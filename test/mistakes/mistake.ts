/** A mistake that an author makes in the sound policy. */
import { blockOf, type Policy } from './sound-policy.js';

export interface Mistake {
  readonly name: string;
  readonly make: (policy: Policy) => void;
  /** What one message has to say: where it is, what is written there, and what to write in its place. */
  readonly says: readonly string[];
}

type Edit = (value: unknown) => void;

/** In the block of a tag. */
export const inBlock = (name: string, tag: string, edit: Edit, ...says: readonly string[]): Mistake => ({
  name,
  make: (policy) => edit(blockOf(policy, tag)),
  says,
});

/** In the policy itself, beside its blocks. */
export const inPolicy = (name: string, edit: Edit, ...says: readonly string[]): Mistake => ({ name, make: edit, says });

/** Several edits of one value. */
export const all =
  (...edits: readonly Edit[]): Edit =>
  (value) => {
    for (const edit of edits) edit(value);
  };

/** A member, as `events.0.target`, is something else: a copy each time, since the policy may be corrected afterwards. */
export const set =
  (path: string, value: unknown): Edit =>
  (within) => {
    const [holder, name] = memberAt(within, path);
    Reflect.set(holder, name, structuredClone(value));
  };

export const without =
  (path: string): Edit =>
  (within) => {
    const [holder, name] = memberAt(within, path);
    Reflect.deleteProperty(holder, name);
  };

/** A member has a misspelt name. */
export const renamed =
  (path: string, misspelt: string): Edit =>
  (within) => {
    const [holder, name] = memberAt(within, path);
    Reflect.set(holder, misspelt, Reflect.get(holder, name));
    Reflect.deleteProperty(holder, name);
  };

/** A list has one more entry. */
export const added =
  (path: string, entry: unknown): Edit =>
  (within) => {
    const [holder, name] = memberAt(within, path);
    const list: unknown = Reflect.get(holder, name);
    Reflect.set(holder, name, [...(Array.isArray(list) ? (list as unknown[]) : []), structuredClone(entry)]);
  };

function memberAt(value: unknown, path: string): [holder: object, name: string] {
  const keys = path.split('.');
  const name = keys.pop() ?? '';
  let holder: unknown = value;
  for (const key of keys) holder = typeof holder === 'object' && holder !== null ? Reflect.get(holder, key) : undefined;
  if (typeof holder !== 'object' || holder === null) throw new Error(`The sound policy has nothing at ${path}.`);
  return [holder, name];
}
