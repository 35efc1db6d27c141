/** What is checked of all packages together, where npm has installed them. */
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { compilerProblems, program } from './consumer.mjs';
import { nodeBinary, supportedNodes } from './nodes.mjs';

export async function checkConsumer(checks, folder, entries, oldestNode) {
  const consumer = join(folder, 'consumer');
  for (const version of [oldestNode, ...supportedNodes]) await checkNode(checks, consumer, entries, version);
  for (const resolution of ['nodenext', 'bundler']) await checkTypes(checks, consumer, resolution);
  await checks.check('README, bundled and run', () => bundledProblems(consumer));
  await checkStranger(checks, join(folder, 'stranger'));
}

/** What the README's program prints, among other things. */
const readmePrints = 'megawattHours: 42';

/** As npm installs it, without a shell in between. */
const commandLine = join('..', 'node_modules', '@blockwork', 'cli', 'bin', 'blockwork.js');
const hasNoErrors = (stdout) => stdout.includes(' 0 errors');

async function checkNode(checks, folder, entries, version) {
  const node = await nodeBinary(version);
  const printing = async (args, isExpected) => {
    const { stdout, problems } = await program(node, args, folder);
    return problems.length > 0 || isExpected(stdout) ? problems : [`${args[0]} printed:\n${stdout}`];
  };
  const namesAll = (stdout) => entries.every((entry) => JSON.parse(stdout)[entry]?.length > 0);
  await checks.check(`Imported and required on Node ${version}`, async () => [
    ...(await printing(['imports.mjs', ...entries], namesAll)),
    ...(await printing(['requires.cjs', ...entries], namesAll)),
  ]);
  await checks.check(`Programs on Node ${version}`, async () => [
    ...(await printing(['readme.mjs'], (stdout) => stdout.includes(readmePrints))),
    ...(await printing(['script.mjs'], (stdout) => stdout.trim() === '42')),
    ...(await printing(['ends.mjs'], (stdout) => stdout.trim() === '200')),
    ...(await printing(['without-blocks.mjs'], (stdout) => /^3\n.*Add @blockwork\/blocks/.test(stdout))),
  ]);
  const project = `sunlight-${version.replaceAll('.', '-')}`;
  await checks.check(`Command line on Node ${version}`, async () => [
    ...(await printing([commandLine, 'new', project], (stdout) => stdout.includes(project))),
    ...(await printing([commandLine, 'validate', join(project, `${project}.policy.json`)], hasNoErrors)),
    ...(await printing([commandLine, 'test', join(project, `${project}.policy.json`)], (stdout) =>
      /^ok /.test(stdout),
    )),
  ]);
}

/** Declarations of all packages are checked, those that they stand on among them: nothing is skipped. */
async function checkTypes(checks, folder, resolution) {
  const module = resolution === 'bundler' ? 'preserve' : resolution;
  let errors = [];
  const isReadme = (problem) => problem.startsWith('readme.ts(');
  await checks.check(`Types, resolved with ${resolution}`, async () => {
    errors = await compilerProblems(folder, ['--module', module, '--moduleResolution', resolution]);
    return errors.filter((problem) => !isReadme(problem));
  });
  await checks.check(`README, compiled with ${resolution}`, async () => errors.filter(isReadme));
}

/** A bundler drops what `sideEffects` lets it drop; the program has to run without that. */
async function bundledProblems(folder) {
  const bundle = await rolldown({ input: join(folder, 'readme.mjs'), platform: 'node', logLevel: 'silent' });
  await bundle.write({ file: join(folder, 'bundled', 'readme.mjs'), codeSplitting: false });
  await bundle.close();
  const { stdout, problems } = await program(process.execPath, ['bundled/readme.mjs'], folder);
  return problems.length > 0 || stdout.includes(readmePrints) ? problems : [`The bundle printed:\n${stdout}`];
}

async function checkStranger(checks, folder) {
  await checks.check('A package of a stranger compiles', () => compilerProblems(folder, []));
  await checks.check('A package of a stranger passes its tests', async () => {
    const vitest = join('..', 'node_modules', 'vitest', 'vitest.mjs');
    return (await program(process.execPath, [vitest, 'run'], folder)).problems;
  });
}
