/** Plays the steps of a plot through a client, whatever its way to blocks is. */
import type { Plot } from './plots.js';

export interface Player {
  read(as: string, tag: string): Promise<unknown>;
  send(as: string, tag: string, body: unknown): Promise<unknown>;
}

type Row = Record<string, unknown>;

export async function play({ steps }: Plot, player: Player): Promise<void> {
  const saved: Row = {};
  for (const { as, method, tag, body, save = {} } of steps) {
    if (method === 'POST') {
      await player.send(as, tag, filled(body, saved));
      continue;
    }
    const answer = await player.read(as, tag);
    for (const [name, { path, where = {} }] of Object.entries(save)) {
      const rows = (at(answer, 'data') ?? []) as Row[];
      const matches = (row: Row): boolean => Object.entries(where).every(([key, value]) => at(row, key) === value);
      saved[name] = path === undefined ? rows.find(matches) : at(answer, path);
      if (saved[name] === undefined) throw new Error(`${as} does not find ${name} in ${tag}.`);
    }
  }
}

/** What a script writes: `${path}` for something saved, and rows with changes. */
function filled(value: unknown, saved: Row): unknown {
  if (typeof value === 'string')
    return value.replace(/^\$\{([^}]+)\}$/, '$1') === value ? value : at(saved, value.slice(2, -1));
  if (Array.isArray(value)) return value.map((each: unknown) => filled(each, saved));
  if (typeof value !== 'object' || value === null) return value;
  const { $row: row, set = {} } = value as { $row?: string; set?: Row };
  if (row === undefined)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filled(each, saved)]));
  const copy = structuredClone(saved[row]) as Row;
  for (const [path, each] of Object.entries(set)) put(copy, path.split('.'), filled(each, saved));
  return copy;
}

export const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, key) => (inner as Row | null | undefined)?.[key], value);

function put(target: Row, [key = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) target[key] = value;
  else put((target[key] ??= {}) as Row, rest, value);
}
