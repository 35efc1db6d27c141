/** Packs all packages that are published, and tries them as their users get them. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from '../build.mjs';
import { Checks } from './checks.mjs';
import { installConsumer } from './consumer.mjs';
import { checkConsumer } from './consumer-checks.mjs';
import { imageProblems } from './images/image.mjs';
import { knownFailures } from './known-failures.mjs';
import { pack } from './pack.mjs';
import { checkTemplates } from './templates.mjs';
import { checkPublished } from '../rehearse/rehearse.mjs';
import { releaseKey } from '../release/evidence.mjs';
import { checkTarball } from './tarball-checks.mjs';
import { openedProblems, sizeProblems } from './weight.mjs';
import { entryPoints, oldestNode, publicPackages } from './workspace.mjs';
import { step } from '../run.mjs';

/** Resolves to whether all is well; the tarballs that were tried are then copied to `keepIn`, with what the release says of itself. */
export async function checkPackages({ keepIn } = {}) {
  const key = await releaseKey();
  await build();
  const folder = await mkdtemp(join(tmpdir(), 'blockwork-packed-'));
  try {
    const packages = await publicPackages();
    const tarballs = await pack(packages, folder);
    const isWell = await checkAll(packages, tarballs, folder, key);
    if (isWell && keepIn !== undefined) {
      await rm(keepIn, { recursive: true, force: true });
      await cp(dirname(tarballs[0]), keepIn, { recursive: true });
    }
    return isWell;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function checkAll(packages, tarballs, folder, key) {
  const manifests = packages.map(({ manifest }) => manifest);
  const entries = manifests.flatMap(entryPoints);
  const checks = new Checks();
  for (const tarball of tarballs) await checkTarball(checks, tarball);
  const consumer = join(folder, 'consumer');
  await step('Installing the packages into an empty folder', () => installConsumer(consumer, tarballs, entries));
  await checkConsumer(checks, consumer, entries, oldestNode(manifests));
  await checkTemplates(checks, consumer);
  await checks.check('The commands of the Dockerfile', () => imageProblems(join(folder, 'image'), tarballs));
  await checks.check('Size of the engine with its blocks', () => sizeProblems(join(folder, 'embedded'), tarballs));
  await checks.check('Files opened by imports', () => openedProblems(join(consumer, 'consumer')));
  await checkPublished(checks, tarballs, join(folder, 'rehearsal'), key);
  return checks.report(knownFailures);
}
