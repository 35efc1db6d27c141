/** `docs/sandbox-routes.md` lists every operation of the sandbox, with what it does. */
import { readFile, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { absentReasons, absentRoutes } from '../src/routes/absent-routes.js';
import { sandboxRoutes } from '../src/routes/index.js';
import type { RouteDeps } from '../src/routes/route-deps.js';
import type { SandboxRoute } from '../src/requests/endpoint.js';

const file = new URL('../../../docs/sandbox-routes.md', import.meta.url);

/** Routes only hold on to their dependencies until a call comes. */
const unused: unknown = new Proxy({}, { get: () => unused });

const states = { works: 'works', empty: 'empty', absent: 'not here' } as const;
const stateOf = (route: SandboxRoute): string => {
  const reason = absentReasons.get(route);
  return reason === undefined ? states[route.state ?? 'works'] : `${states.absent}: ${reason}`;
};

/** By their first words, and there by path. */
function tables(routes: readonly SandboxRoute[]): string {
  const rooms = new Map<string, SandboxRoute[]>();
  for (const route of routes) {
    const [, room = ''] = route.path.split('/');
    rooms.set(room, [...(rooms.get(room) ?? []), route]);
  }
  const sections = [...rooms].sort(([a], [b]) => (a < b ? -1 : 1));
  return sections
    .map(([room, own]) => {
      const rows = own.map((route) => [`\`${route.method} ${route.path}\``, stateOf(route)] as const).sort(byPath);
      const width = Math.max(9, ...rows.map(([operation]) => operation.length));
      const last = Math.max(5, ...rows.map(([, state]) => state.length));
      const line = (a: string, b: string): string => `| ${a.padEnd(width)} | ${b.padEnd(last)} |`;
      const head = [line('operation', 'state'), `| ${'-'.repeat(width)} | ${'-'.repeat(last)} |`];
      return `### ${room}\n\n${[...head, ...rows.map(([a, b]) => line(a, b))].join('\n')}`;
    })
    .join('\n\n');
}

const byPath = ([a]: readonly [string, string], [b]: readonly [string, string]): number => {
  const key = (text: string): string => text.replace(/^`(\w+) (.*)`$/, '$2 $1');
  return key(a) < key(b) ? -1 : 1;
};

it('the page of the routes has each of them with its state, and no other', async () => {
  const routes = sandboxRoutes(unused as RouteDeps);
  const page = await readFile(file, 'utf8');
  const [before = '', , after = ''] = page.split(/(?<=<!-- routes -->\n)|(?=<!-- \/routes -->)/);
  const written = `${before}\n${tables(routes)}\n\n${after}`;
  if (process.env['BLOCKWORK_MATRIX'] === 'write') await writeFile(file, written);
  else expect(page, 'npm run matrix writes it').toBe(written);
});

it('no operation is there twice, and each that is not here is one of the reference', () => {
  const names = sandboxRoutes(unused as RouteDeps).map(
    ({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`,
  );
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  expect(absentRoutes.length).toBe(absentReasons.size);
});
