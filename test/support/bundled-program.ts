/** The command line as one file, with what it looks for beside itself: its version, the templates, and a page in place of the console. */
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildProgram } from './build-program.js';

const templates = fileURLToPath(new URL('../../packages/create-blockwork/templates', import.meta.url));

/** Resolves to the file to run. */
export async function bundledProgram(
  folder: string,
  { hasConsole = true }: { readonly hasConsole?: boolean } = {},
): Promise<string> {
  const own = join(folder, 'packages', 'cli');
  const place = join(own, 'dist');
  const program = await buildProgram(
    new URL('../../packages/cli/test/support/command-process.ts', import.meta.url),
    place,
  );
  await cp(templates, join(own, 'templates'), { recursive: true });
  for (const parent of [join(folder, 'packages'), own])
    await writeFile(join(parent, 'package.json'), '{"version":"0.0.0"}');
  if (hasConsole) {
    await mkdir(join(place, 'app'));
    await writeFile(join(place, 'app', 'index.html'), '<!doctype html>');
  }
  return program;
}
