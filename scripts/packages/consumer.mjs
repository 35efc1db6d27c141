/** A folder as a user of the packages has it: programs, and what npm installs for them from the packed packages. */
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { capture, root, StepFailed } from '../run.mjs';
import { manifestOf } from './workspace.mjs';

const fixtures = join(root, 'test', 'packages');
const typescript = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

/** Installs the packed packages beside the programs of `test/packages` and the first program of the README. */
export async function installConsumer(folder, tarballs, entries) {
  for (const name of ['consumer', 'stranger']) await cp(join(fixtures, name), join(folder, name), { recursive: true });
  await writeEntries(join(folder, 'consumer'), entries);
  await installPackages(folder, [...tarballs, ...(await tools())]);
}

/** Installs packages into a folder that has none yet. */
export async function installPackages(folder, packages) {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  const args = ['install', '--no-audit', '--no-fund', '--prefer-offline', ...packages];
  const { code, output } = await capture('npm', args, { cwd: folder });
  if (code !== 0) throw new StepFailed(`npm could not install the packed packages.\n${output}`);
}

async function writeEntries(folder, entries) {
  const imports = entries.map((entry, n) => `export * as entry${n} from '${entry}';\n`);
  await writeFile(join(folder, 'entries.ts'), imports.join(''));
  const program = firstProgram(await readFile(join(root, 'README.md'), 'utf8'));
  await writeFile(join(folder, 'readme.ts'), program);
  await writeFile(join(folder, 'readme.mjs'), withoutTypes(program));
}

/** The first program of a page. */
export function firstProgram(page) {
  const [, program] = /```(?:js|ts)\n([\s\S]*?)```/.exec(page) ?? [];
  if (program === undefined) throw new Error('The page has no program in a block of js or ts.');
  return program;
}

export const withoutTypes = (program) =>
  ts.transpileModule(program, { compilerOptions: { target: 'es2023', module: 'esnext' } }).outputText;

/** The types of Koa name this one; npm would put the later one of Express in its place. */
const OF_KOA = 'content-disposition@1.0.1';

/** What a package needs to be developed, what entry points need that only some users have, and what the templates stand on, in the versions of this workspace. */
async function tools() {
  const [core, otel, react, templates] = ['core', 'otel', 'react', 'create-blockwork'].map((name) =>
    join(root, 'packages', name),
  );
  const ofRoot = { '@types/node': root, typescript: root, vitest: root };
  const ofTemplates = { '@scure/base': templates, canonicalize: templates, express: templates, koa: templates };
  const names = { ...ofRoot, ...ofTemplates, zod: core, '@types/react': react, '@opentelemetry/sdk-metrics': otel };
  const installed = Object.entries(names).map(async ([name, folder]) => {
    const { version } = await manifestOf(join(folder, 'node_modules', name));
    return `${name}@${version}`;
  });
  return [...(await Promise.all(installed)), OF_KOA];
}

/** For a program that never ends; one that ends takes seconds. */
const timeout = 5 * 60_000;

/** Runs a program with some Node in a folder; resolves to what it printed, or to the reason why it failed. */
export async function program(node, args, cwd) {
  const { code, signal, stdout, output } = await capture(node, args, { cwd, timeout });
  if (code === 0) return { stdout, problems: [] };
  const how =
    signal === null ? `ended with ${code}` : `was ended by ${signal}, after ${timeout / 1000} s at the latest`;
  return { stdout, problems: [`${args[0]} ${how}:\n${output}`] };
}

/** What TypeScript says about a project, one problem for each line. */
export async function compilerProblems(cwd, args) {
  const { stdout, code } = await capture(process.execPath, [typescript, '--pretty', 'false', ...args], { cwd });
  return code === 0 ? [] : stdout.trim().split('\n');
}
