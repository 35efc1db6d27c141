/** Nodes that run as processes of their own: each opens the store and adds to a counter that all share. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { afterAll } from 'vitest';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** Builds a program of this folder; gives the file to run. It is removed after the tests of the file. */
export async function buildProgram(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'blockwork-node-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, `${name}.mjs`);
  const bundle = await rolldown({
    input: path(`./${name}.ts`),
    platform: 'node',
    external: ['pg-native'],
    tsconfig: path('../../../../tsconfig.lint.json'),
  });
  await bundle.write({ file, format: 'esm', codeSplitting: false });
  await bundle.close();
  return file;
}

/** Builds the program of a node; gives what runs it to its end. */
export async function buildNode(): Promise<(address: string, additions: number) => Promise<{ attempts: number }>> {
  const file = await buildProgram('node');
  return async (address, additions) => {
    const { stdout } = await promisify(execFile)(process.execPath, [file, address, String(additions)]);
    return JSON.parse(stdout) as { attempts: number };
  };
}
