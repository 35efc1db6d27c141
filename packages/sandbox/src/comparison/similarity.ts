/** How similar two JSON values are, as the reference says it: in percent, member by member. */
import { isObject } from '@blockwork/core/records';

export interface ComparedMember {
  readonly path: string;
  readonly left: unknown;
  readonly right: unknown;
  /** 100 for equal values, -1 for one that only one side has, else 0. */
  readonly rate: number;
}

/** Every value below, by its dotted path; lists and objects by what is in them. */
function membersOf(value: unknown, ignored: ReadonlySet<string> = new Set()): Map<string, unknown> {
  const members = new Map<string, unknown>();
  const open: [path: string, value: unknown][] = [['', value]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [path, each] = next;
    const inner = Array.isArray(each) ? Object.entries(each) : isObject(each) ? Object.entries(each) : undefined;
    if (inner === undefined) members.set(path, each);
    else {
      const below = inner.filter(([name]) => path !== '' || !ignored.has(name));
      open.push(...below.map(([name, value]): [string, unknown] => [path === '' ? name : `${path}.${name}`, value]));
    }
  }
  return members;
}

/** In the order of their paths. */
export function compareMembers(left: unknown, right: unknown, ignored?: ReadonlySet<string>): ComparedMember[] {
  const [a, b] = [membersOf(left, ignored), membersOf(right, ignored)];
  return [...new Set([...a.keys(), ...b.keys()])].sort().map((path) => ({
    path,
    left: a.get(path),
    right: b.get(path),
    rate: !a.has(path) || !b.has(path) ? -1 : a.get(path) === b.get(path) ? 100 : 0,
  }));
}

/** The mean of the rates, of which a missing member counts as different; 100 if there is nothing to compare. */
export const rateOf = (rates: readonly number[]): number =>
  rates.length === 0 ? 100 : Math.floor(rates.reduce((sum, rate) => sum + Math.max(0, rate), 0) / rates.length);
