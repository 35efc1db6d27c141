/**
 * `npm run architecture [--check]`: draws the generated parts of ARCHITECTURE.md from the code. With `--check` it changes nothing, and
 * fails where the page no longer says what the code says.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { main, root, StepFailed } from './run.mjs';

const page = join(root, 'ARCHITECTURE.md');
const core = join(root, 'packages', 'core', 'src');

await main(async (args) => {
  const before = await readFile(page, 'utf8');
  let after = before;
  for (const [name, draw] of Object.entries({ packages: packagesPart, rooms: roomsPart, locks: locksPart })) {
    after = replacePart(after, name, await draw());
  }
  after = await format(after, { ...(await resolveConfig(page)), filepath: page });
  if (after === before) return 0;
  if (args.includes('--check')) {
    throw new StepFailed('ARCHITECTURE.md differs from the code. Run: npm run architecture');
  }
  await writeFile(page, after);
  console.log('ARCHITECTURE.md is drawn from the code.');
  return 0;
});

/** Replaces what stands between `<!-- name -->` and `<!-- /name -->`. */
function replacePart(text, name, part) {
  const [begin, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new StepFailed(`ARCHITECTURE.md has no part between ${begin.trim()} and ${end}.`);
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
  const rows = await Promise.all(order.map(async (room) => `| \`${room}/\` | ${await purposeOf(room)} |`));
  return `${mermaid(arrows)}\n\n${['| room | what is in it |', '| --- | --- |', ...rows].join('\n')}`;
}

/** The rows of `revisionKeys` and `lanes`, read from their source. */
async function locksPart() {
  const text = await readFile(join(core, 'transactions', 'revision-keys.ts'), 'utf8');
  const rows = { revisionKey: [], lane: [] };
  for (const [, maker, pattern, body] of text.matchAll(/: (revisionKey|lane)\('([^']+)', \{([\s\S]*?)\n {2}\}\)/g)) {
    const classes = (member) =>
      [...(body.match(new RegExp(`${member}: \\[([\\s\\S]*?)\\]`))?.[1] ?? '').matchAll(/'(\w+)'/g)].map(
        ([, name]) => name,
      );
    const protects = body.match(/protects:\s*'([^']+)'/)?.[1] ?? '';
    const cells = [`\`${pattern}\``, protects, classes('takenBy').join(', '), classes('readBy').join(', ')];
    rows[maker].push(`| ${(maker === 'lane' ? cells.slice(0, 3) : cells).join(' | ')} |`);
  }
  return [
    '| revision key | what it protects | taken by | read by |',
    '| --- | --- | --- | --- |',
    ...rows.revisionKey,
    '',
    '| lane | what it orders | taken by |',
    '| --- | --- | --- |',
    ...rows.lane,
  ].join('\n');
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

async function sourcesIn(folder) {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter(({ name }) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
