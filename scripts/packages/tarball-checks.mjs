/** What is checked of each packed package by itself. */
import { basename } from 'node:path';
import { contentProblems } from './contents.mjs';
import { sourceMapProblems } from './source-maps.mjs';
import { filesOf, publintProblems, typeProblems } from './tarball.mjs';

export function checkTarball(checks, tarball) {
  return checks.check(basename(tarball), async () => {
    const files = await filesOf(tarball);
    return [
      ...contentProblems(files),
      ...sourceMapProblems(files),
      ...(await publintProblems(tarball)),
      ...(await typeProblems(tarball)),
    ];
  });
}
