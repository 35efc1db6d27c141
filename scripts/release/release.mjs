/** The steps of a release: what is written, what is checked, and what is taken back when a check fails. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { checkPackages } from '../packages/check-packages.mjs';
import { publicPackages } from '../packages/workspace.mjs';
import { unreleasedChanges } from './changelog.mjs';
import { releaseKey } from './evidence.mjs';
import { releasePlan } from './plan.mjs';
import { capture, root, run, StepFailed } from '../run.mjs';

const usage = 'npm run release -- <version> [--dry-run]';
const notReady = 'A check failed, see above: nothing is released, and what was written is taken back.';
const unsigned = ' Nobody signed where it comes from: BLOCKWORK_RELEASE_KEY names no key.';
const repository = 'https://github.com/blockwork/blockwork';

/** Resolves when the packages lie in `release/`, or a dry run has said what it would write. */
export async function release(args) {
  const { version, isDry } = parsed(args);
  const key = await releaseKey();
  const before = await filesToWrite();
  const after = planned(version, before);
  if (isDry) {
    describe(version, before, after);
    return;
  }
  await assertNothingUncommitted();
  await write(after);
  try {
    await allChecks();
  } catch (error) {
    await write(before);
    throw error;
  }
  console.log(
    `\n${version} is in release/.${key === undefined ? unsigned : ''} To publish it:\n${publishing(version)}`,
  );
}

function parsed(args) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { 'dry-run': { type: 'boolean' } },
    });
    if (positionals.length !== 1) throw new Error('It takes one version.');
    return { version: positionals[0], isDry: values['dry-run'] === true };
  } catch (error) {
    throw new StepFailed(`${error.message}\n${usage}`);
  }
}

/** The text of each file that a release changes, by its path in the workspace. */
async function filesToWrite() {
  const packages = await publicPackages();
  const manifests = [root, ...packages.map(({ folder }) => folder)].map((folder) => join(folder, 'package.json'));
  const paths = [...manifests, join(root, 'CHANGELOG.md')];
  return new Map(await Promise.all(paths.map(async (path) => [relative(root, path), await readFile(path, 'utf8')])));
}

function planned(version, files) {
  const { ['CHANGELOG.md']: changelog, ...manifests } = Object.fromEntries(files);
  const date = new Date().toISOString().slice(0, 10);
  try {
    return releasePlan({ version, date, repository, changelog, manifests: new Map(Object.entries(manifests)) });
  } catch (error) {
    throw new StepFailed(error.message);
  }
}

function describe(version, before, after) {
  const changed = [...after].filter(([path, text]) => before.get(path) !== text).map(([path]) => path);
  console.log(`${version} would change\n  ${changed.join('\n  ')}\n\nIts changes:\n`);
  console.log(unreleasedChanges(before.get('CHANGELOG.md')));
}

/** So that what a failed release takes back is all that it wrote. */
async function assertNothingUncommitted() {
  const { code, output } = await capture('git', ['status', '--porcelain']);
  if (code !== 0) throw new StepFailed(`git cannot tell what is committed:\n${output}`);
  if (output !== '') throw new StepFailed(`Commit or remove these first:\n${output}`);
}

async function write(files) {
  await Promise.all([...files].map(([path, text]) => writeFile(join(root, path), text)));
}

async function allChecks() {
  const folder = join(root, 'release');
  await rm(folder, { recursive: true, force: true });
  for (const check of ['types', 'lint']) {
    console.log(`\n== npm run ${check}`);
    if ((await run('npm', ['run', '--silent', check])) !== 0) throw new StepFailed(notReady);
  }
  console.log('\n== npm run packages');
  if (!(await checkPackages({ keepIn: folder }))) throw new StepFailed(notReady);
}

function publishing(version) {
  return [
    `  git commit -am "Release ${version}" && git tag v${version}`,
    '  for file in release/*.tgz; do npm publish "$file"; done',
    '  git push && git push --tags',
  ].join('\n');
}
