/** ARCHITECTURE.md with the parts that are generated from the code. */
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { root } from '../run.mjs';
import { hooksTables } from './hooks.mjs';
import { locksTables } from './locks.mjs';
import { table } from '../reference/markdown-table.mjs';

export const page = join(root, 'ARCHITECTURE.md');
const core = join(root, 'packages', 'core', 'src');

/** The page with its parts as the code gives them. `code`: the entry points of core, and `z`. */
export async function drawnPage(text, code) {
  const parts = {
    packages: await packagesPart(),
    rooms: await roomsPart(),
    ...(await hooksTables(code)),
    locks: locksTables(await readFile(join(core, 'transactions', 'revision-keys.ts'), 'utf8'), await namedSources()),
  };
  const drawn = Object.entries(parts).reduce((before, [name, part]) => replacePart(before, name, part), text);
  return format(drawn, { ...(await resolveConfig(page)), filepath: page });
}

/** Replaces what stands between `<!-- name -->` and `<!-- /name -->`. */
function replacePart(text, name, part) {
  const [begin, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`ARCHITECTURE.md has no part between ${begin.trim()} and ${end}.`);
  return `${text.slice(0, from + begin.length)}\n${part}\n${text.slice(to)}`;
}

async function packagesPart() {
  const arrows = new Map();
  for (const folder of await folders(join(root, 'packages'))) {
    const manifest = JSON.parse(await readFile(join(root, 'packages', folder, 'package.json'), 'utf8'));
    const used = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
    arrows.set(folder, new Set(used.filter((name) => name.startsWith('@blockwork/')).map((name) => name.slice(11))));
  }
  return mermaid(arrows);
}

async function roomsPart() {
  const arrows = new Map();
  for (const room of await folders(core)) arrows.set(room, await roomsUsedBy(room));
  const order = depthFirst(arrows);
  const rows = await Promise.all(order.map(async (room) => [`\`${room}/\``, await purposeOf(room)]));
  return `${mermaid(arrows)}\n\n${table(['room', 'what is in it'], rows)}`;
}

async function roomsUsedBy(room) {
  const used = new Set();
  for (const file of await sourcesIn(join(core, room))) {
    for (const [, specifier] of (await readFile(file, 'utf8')).matchAll(/from '(\.[^']+)'/g)) {
      const [first, ...rest] = relative(core, join(dirname(file), specifier)).split(sep);
      if (rest.length > 0 && first !== room) used.add(first);
    }
  }
  return used;
}

/** The sentence that the entry of a room begins with. */
async function purposeOf(room) {
  const text = await readFile(join(core, room, 'index.ts'), 'utf8');
  const [, comment = ''] = text.match(/^\/\*\*([\s\S]*?)\*\//) ?? [];
  return comment.replace(/\s*\n?\s*\*\s+/g, ' ').trim();
}

/** A picture with the arrows that no longer way implies, so that it can be read. */
function mermaid(arrows) {
  const lines = [...arrows].flatMap(([from, targets]) =>
    [...targets]
      .filter((to) => ![...targets].some((other) => other !== to && reaches(arrows, other, to)))
      .sort()
      .map((to) => `  ${from} --> ${to}`),
  );
  return ['```mermaid', 'flowchart TD', ...lines, '```'].join('\n');
}

function reaches(arrows, from, to, seen = new Set()) {
  if (seen.has(from)) return false;
  seen.add(from);
  return [...(arrows.get(from) ?? [])].some((next) => next === to || reaches(arrows, next, to, seen));
}

/** Each room after those that use it: the way of a request, from the front door to the records. */
function depthFirst(arrows) {
  const order = [];
  const visit = (room) => {
    if (order.includes(room)) return;
    for (const [user, used] of arrows) if (used.has(room)) visit(user);
    order.push(room);
  };
  for (const room of [...arrows.keys()].sort()) visit(room);
  return order;
}

async function folders(folder) {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

const namedSources = async () =>
  Promise.all(
    (await sourcesIn(core)).map(async (file) => ({ name: basename(file, '.ts'), text: await readFile(file, 'utf8') })),
  );

async function sourcesIn(folder) {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter(({ name }) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
