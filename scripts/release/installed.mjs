/** Whether what npm installed is what the checksums of a release name. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CHECKSUMS, digestsOf, readChecksums } from './checksums.mjs';

const isOwn = (name) => name.startsWith('@blockwork/') || name === 'create-blockwork';

/** Resolves to what is wrong in `project`, a folder with the lock file of npm, compared to the files of the folder `release`. */
export async function installedProblems(project, release) {
  const { packages } = JSON.parse(await readFile(join(project, 'package-lock.json'), 'utf8'));
  const named = readChecksums(await readFile(join(release, CHECKSUMS), 'utf8'));
  const installed = Object.entries(packages)
    .map(([path, entry]) => ({ name: path.replace(/^.*node_modules\//, ''), ...entry }))
    .filter(({ name }) => isOwn(name));
  if (installed.length === 0) return [`${project} has no package of the release.`];
  const problems = await Promise.all(
    installed.map(async ({ name, version, integrity }) => {
      const file = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
      if (!named.has(file)) return `${CHECKSUMS} does not name ${file}, which is installed.`;
      const { sha256, sha512 } = await digestsOf(join(release, file));
      const isIt = integrity === `sha512-${Buffer.from(sha512, 'hex').toString('base64')}`;
      return sha256 === named.get(file) && isIt ? null : `${name} is not installed from the ${file} of ${CHECKSUMS}.`;
    }),
  );
  return problems.filter((problem) => problem !== null);
}
