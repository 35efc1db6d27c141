/** In a fresh clone, the commands of the README begin before any package is installed. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);

/** The packages that a script needs before its first line runs: those that it, or a script that it imports, imports at its top. */
async function packagesOf(script: URL, seen = new Set<string>()): Promise<string[]> {
  if (seen.has(script.href)) return [];
  seen.add(script.href);
  const text = await readFile(script, 'utf8');
  const names = [...text.matchAll(/^(?:import|export|\})[^;()]*? from '([^']+)';|^import '([^']+)';/gm)];
  const packages: string[] = [];
  for (const [, from, alone = ''] of names) {
    const name = from ?? alone;
    if (name.startsWith('.')) packages.push(...(await packagesOf(new URL(name, script), seen)));
    else if (!name.startsWith('node:')) packages.push(name);
  }
  return packages;
}

it.each(['start', 'test', 'bench', 'compare', 'rehearse/main', 'soak', 'examples'])(
  'scripts/%s.mjs needs no package to begin',
  async (name) => {
    const seen = new Set<string>();
    expect(await packagesOf(new URL(`scripts/${name}.mjs`, root), seen)).toEqual([]);
    expect(seen.size).toBeGreaterThan(1);
  },
);
