/** What a stranger does with nothing but Node and a registry: the README's program, and a project of their own. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { firstProgram, withoutTypes } from '../packages/consumer.mjs';
import { installedProblems } from '../release/installed.mjs';
import { capture, root } from '../run.mjs';

/**
 * Resolves to what is wrong: nothing, if all commands do what they should, and what they install is what the checksums in the folder
 * `release` name. `folder` is made, with a home of its own in it.
 */
export async function strangersProblems(folder, registry, release) {
  const env = await cleanHome(folder, registry);
  const steps = [
    () => readme(join(folder, 'readme'), env),
    () => installedProblems(join(folder, 'readme'), release),
    () => project(join(folder, 'projects'), env),
    () => installedProblems(join(folder, 'projects', 'sunlight'), release),
  ];
  const problems = [];
  for (const step of steps) problems.push(...(await step()));
  return problems;
}

/** No packages, settings or credentials of whoever runs this. */
async function cleanHome(folder, registry) {
  const home = join(folder, 'home');
  await mkdir(home, { recursive: true });
  await writeFile(join(home, '.npmrc'), '');
  return {
    HOME: home,
    npm_config_userconfig: join(home, '.npmrc'),
    npm_config_cache: join(home, 'cache'),
    npm_config_registry: registry,
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  };
}

async function readme(folder, env) {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  const program = firstProgram(await readFile(join(root, 'README.md'), 'utf8'));
  await writeFile(join(folder, 'first.mjs'), withoutTypes(program));
  return commands(folder, env, [
    { line: ['npm', 'install', '@blockwork/core'] },
    { line: ['node', 'first.mjs'], prints: 'megawattHours: 42' },
  ]);
}

/** A policy that is made, tested, changed for the worse, and mended. */
async function project(folder, env) {
  await mkdir(folder, { recursive: true });
  const problems = await commands(folder, env, [
    { line: ['npm', 'create', '--yes', 'blockwork', 'sunlight'], prints: 'sunlight' },
  ]);
  if (problems.length > 0) return problems;
  const project = join(folder, 'sunlight');
  const setUp = await commands(project, env, [{ line: ['npm', 'install'] }, { line: ['npm', 'test'], prints: 'ok ' }]);
  if (setUp.length > 0) return setUp;
  const policy = join(project, 'sunlight.policy.json');
  const sound = await readFile(policy, 'utf8');
  const broken = sound.replace('"blockType": "policyRolesBlock"', '"blockType": "policyRolesBlok"');
  if (broken === sound) return ['sunlight.policy.json has no block of roles to misspell.'];
  await writeFile(policy, broken);
  const noticed = await commands(project, env, [{ line: ['npm', 'test'], fails: true, prints: 'policyRolesBlock' }]);
  await writeFile(policy, sound);
  return [...noticed, ...(await commands(project, env, [{ line: ['npm', 'test'], prints: 'ok ' }]))];
}

async function commands(cwd, env, lines) {
  for (const { line, prints = '', fails = false } of lines) {
    const [command, ...args] = line;
    const { code, output } = await capture(command, args, { cwd, env });
    const isRight = (code !== 0) === fails && output.includes(prints);
    if (!isRight)
      return [`"${line.join(' ')}" ended with ${code}${prints && `, and should print "${prints}"`}:\n${output}`];
  }
  return [];
}
