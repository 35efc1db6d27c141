/**
 * Runs pnpm in the one version that this workspace is made for, through npx, so that a machine needs npm only.
 *
 *     node scripts/pnpm.mjs add --filter @blockwork/core some-package
 */
import { relative, isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { main, root, run, StepFailed } from './run.mjs';

export const pnpmVersion = '12.21.0';

/** Resolves when pnpm has succeeded; otherwise a `StepFailed` says whether pnpm failed, or could not be had at all. */
export async function pnpm(args, options = {}) {
  const npx = (what, how) => run('npx', ['--yes', `pnpm@${pnpmVersion}`, ...what], how).catch(() => 127);
  const code = await npx(args, options);
  if (code === 0) return;
  const isThere = (await npx(['--version'], { ...options, output: 'never' })) === 0;
  throw new StepFailed(
    isThere
      ? `"pnpm ${args.join(' ')}" failed with exit code ${code}; its own words are above.`
      : `pnpm ${pnpmVersion} could not be fetched. It comes through npx, which is part of npm, from the npm registry. ` +
          'Check that "npx --version" works and that the registry of "npm config get registry" can be reached.',
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(async (args) => {
    const below = relative(root, process.cwd());
    const isInside = !below.startsWith('..') && !isAbsolute(below);
    await pnpm(args, { cwd: isInside ? process.cwd() : root });
    return 0;
  });
}
