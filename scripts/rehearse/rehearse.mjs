/** Publishes all packages to a registry on this machine, and installs them from there as a stranger does. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from '../build.mjs';
import { Checks } from '../packages/checks.mjs';
import { pack } from '../packages/pack.mjs';
import { followTutorial } from '../packages/tutorial/follow.mjs';
import { publicPackages } from '../packages/workspace.mjs';
import { evidenceProblems, releaseKey, writeEvidence } from '../release/evidence.mjs';
import { capture, step } from '../run.mjs';
import { strangersProblems } from './stranger.mjs';
import { openVerdaccio, signUp, verdaccioProgram } from './verdaccio.mjs';

/** Packs the packages first; resolves to whether all went well. */
export async function rehearse() {
  const key = await releaseKey();
  await build();
  const folder = await mkdtemp(join(tmpdir(), 'blockwork-rehearsal-'));
  try {
    const tarballs = await pack(await publicPackages(), folder);
    const checks = new Checks();
    await checkPublished(checks, tarballs, join(folder, 'rehearsal'), key);
    return checks.report({});
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Checks what becomes of packed packages when they are published. `folder` is made, `key` as in `writeEvidence`; checksums, a bill of materials and a
 * statement of the origin come to the tarballs first, and are what the installed packages are compared with.
 */
export async function checkPublished(checks, tarballs, folder, key) {
  const release = dirname(tarballs[0]);
  await step('Checksums, bill of materials and provenance', async () => {
    const names = await writeEvidence(tarballs, key);
    return names.join(', ');
  });
  await checks.check('Checksums, bill of materials and provenance', () => evidenceProblems(release));
  let program;
  await step('Verdaccio', async () => {
    program = await verdaccioProgram();
  });
  const storage = join(folder, 'registry');
  const registry = await openVerdaccio(program, storage);
  try {
    const settings = join(folder, 'npmrc');
    await writeFile(settings, await signUp(registry.url));
    const publish = (tarball) => publishedTo(registry.url, settings, tarball);
    await checks.check(`Publishing ${tarballs.length} packages`, async () => {
      const outcomes = [];
      for (const tarball of tarballs) outcomes.push({ tarball, ...(await publish(tarball)) });
      return outcomes.filter(({ code }) => code !== 0).map(({ tarball, output }) => `${basename(tarball)}:\n${output}`);
    });
    await checks.check('A version is published once', async () => {
      const { code } = await publish(tarballs[0]);
      return code === 0 ? [`${basename(tarballs[0])} was published again.`] : [];
    });
    await checks.check('A stranger installs and runs', () =>
      strangersProblems(join(folder, 'open'), registry.url, release),
    );
    await checks.check('The tutorial, from the registry', () => followTutorial(join(folder, 'tutorial'), registry.url));
  } finally {
    await registry.close();
  }
  await sealed(checks, program, storage, join(folder, 'sealed'), release);
}

const publishedTo = (registry, settings, tarball) =>
  capture('npm', ['publish', tarball, '--registry', registry, '--userconfig', settings, '--access', 'public']);

/** Where the system lets a program have a network of its own; elsewhere it is said. */
async function sealed(checks, program, storage, folder, release) {
  const network = ['--map-root-user', '--net'];
  const script = fileURLToPath(new URL('sealed.mjs', import.meta.url));
  const own = await capture('unshare', [...network, 'ip', 'link', 'set', 'lo', 'up']).catch(() => ({ code: 1 }));
  if (own.code !== 0) {
    console.log('Without a network: skipped, because unshare and ip cannot make one of its own here.');
    return;
  }
  await checks.check('A stranger with no network but the registry', async () => {
    const line = 'ip link set lo up && exec "$0" "$@"';
    const args = [...network, 'sh', '-c', line, process.execPath, script, program, storage, folder, release];
    const { code, output } = await capture('unshare', args);
    return code === 0 ? [] : [output];
  });
}
