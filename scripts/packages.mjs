/** `npm run packages`: packs all packages that are published, and tries them as their users get them. */
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { install } from './install.mjs';
import { Checks } from './packages/checks.mjs';
import { installConsumer } from './packages/consumer.mjs';
import { checkConsumer } from './packages/consumer-checks.mjs';
import { knownFailures } from './packages/known-failures.mjs';
import { pack } from './packages/pack.mjs';
import { checkTarball } from './packages/tarball-checks.mjs';
import { entryPoints, oldestNode, publicPackages } from './packages/workspace.mjs';
import { main, step } from './run.mjs';

/** Resolves to whether all is well; the tarballs that were tried are then copied to `keepIn`. */
export async function checkPackages({ keepIn } = {}) {
  await install();
  await build();
  const folder = await mkdtemp(join(tmpdir(), 'blockwork-packed-'));
  try {
    const packages = await publicPackages();
    const tarballs = await pack(packages, join(folder, 'tarballs'));
    const isWell = await checkAll(packages, tarballs, join(folder, 'consumer'));
    if (isWell && keepIn !== undefined) await keep(tarballs, keepIn);
    return isWell;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function checkAll(packages, tarballs, folder) {
  const manifests = packages.map(({ manifest }) => manifest);
  const entries = manifests.flatMap(entryPoints);
  const checks = new Checks();
  for (const tarball of tarballs) await checkTarball(checks, tarball);
  await step('Installing the packages into an empty folder', () => installConsumer(folder, tarballs, entries));
  await checkConsumer(checks, folder, entries, oldestNode(manifests));
  return checks.report(knownFailures);
}

async function keep(tarballs, folder) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await Promise.all(tarballs.map((tarball) => copyFile(tarball, join(folder, basename(tarball)))));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(async () => ((await checkPackages()) ? 0 : 1));
}
