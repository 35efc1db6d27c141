/** Puts members of a policy and its blocks in a canonical order, so that two exports differ only in what changed. */

const first = ['id', 'name', 'description', 'version', 'blockType', 'tag', 'permissions', 'defaultActive'];
const last = ['events', 'children', 'config'];

/** Other objects keep their order, which can be significant: schemas show their fields in it. */
export function orderedPolicy(value: unknown): unknown {
  if (!isObject(value)) return value;
  return orderedMembers(value, (name, member) => (name === 'config' ? orderedBlock(member) : member));
}

function orderedBlock(value: unknown): unknown {
  if (!isObject(value)) return value;
  return orderedMembers(value, (name, member) =>
    name === 'children' && Array.isArray(member) ? member.map(orderedBlock) : member,
  );
}

function orderedMembers(
  value: Readonly<Record<string, unknown>>,
  change: (name: string, member: unknown) => unknown,
): unknown {
  const names = Object.keys(value).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  return Object.fromEntries(names.map((name) => [name, change(name, value[name])]));
}

function rank(name: string): number {
  if (first.includes(name)) return first.indexOf(name);
  return first.length + 1 + last.indexOf(name);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
