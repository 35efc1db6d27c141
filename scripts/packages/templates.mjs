/** Makes a project of each template of `npm create blockwork` with the packed packages, runs its tests, and starts it. */
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { satisfies } from 'semver';
import { capture } from '../run.mjs';
import { instructionsOf } from './images/dockerfile.mjs';
import { startProblems } from './images/started.mjs';
import { manifestOf } from './workspace.mjs';

/** `folder` is where the packages are installed, and what the projects depend on: they share it, so nothing is fetched. */
export async function checkTemplates(checks, folder) {
  const installed = join(folder, 'node_modules', 'create-blockwork');
  const { templates } = await import(pathToFileURL(join(installed, 'dist', 'index.js')).href);
  await mkdir(join(folder, 'projects'));
  for (const name of Object.keys(templates)) {
    await checks.check(`Template ${name}`, () => problemsOf(join(folder, 'projects', name), name, installed));
  }
}

async function problemsOf(project, template, installed) {
  const program = join(installed, 'bin', 'create-blockwork.js');
  const outcome = await capture(process.execPath, [program, project, '--template', template]);
  if (outcome.code !== 0) return [outcome.output];
  const modules = join(project, 'node_modules');
  await symlink(join(installed, '..'), modules, 'junction');
  const missing = await missingFrom(modules, await manifestOf(project));
  if (missing.length > 0) return [`not installed, in the range that it names: ${missing.join(', ')}`];
  const test = await capture('npm', ['test'], { cwd: project });
  if (test.code !== 0) return [`npm test ended with ${test.code}:\n${test.output}`];
  const instructions = instructionsOf(await readFile(join(project, 'Dockerfile'), 'utf8'));
  return startProblems(instructions, { '/app': project, '/data': join(project, '.blockwork') });
}

async function missingFrom(modules, { dependencies, devDependencies = {} }) {
  const ranges = Object.entries({ ...dependencies, ...devDependencies });
  const missing = await Promise.all(
    ranges.map(async ([name, range]) => {
      const { version = '' } = await manifestOf(join(modules, name)).catch(() => ({}));
      return satisfies(version, range) ? [] : [`${name} ${range}`];
    }),
  );
  return missing.flat();
}
