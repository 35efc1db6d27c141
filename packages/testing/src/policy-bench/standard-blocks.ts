/** Loads the standard blocks: an optional peer dependency, which only policy benches need. */
import type { BlockType } from '@blockwork/core/block';

interface BlocksPackage {
  readonly standardBlocks: () => readonly BlockType[];
}

const made = new WeakMap<BlocksPackage['standardBlocks'], readonly BlockType[]>();

/** Made once: blocks keep no state, and benches that share them share the threads in which formulas and scripts run. */
function blocksOf({ standardBlocks }: BlocksPackage): readonly BlockType[] {
  const blocks = made.get(standardBlocks) ?? standardBlocks();
  made.set(standardBlocks, blocks);
  return blocks;
}

/** Throws with what to install if `@blockwork/blocks` is missing. */
export async function loadStandardBlocks(
  importBlocks: () => Promise<BlocksPackage> = () => import('@blockwork/blocks'),
): Promise<readonly BlockType[]> {
  try {
    return blocksOf(await importBlocks());
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
    throw new Error(
      'A policy bench and a scenario need the standard blocks, but @blockwork/blocks is not installed. ' +
        'Add @blockwork/blocks to the devDependencies, in the version of @blockwork/testing.',
      { cause },
    );
  }
}

/** The package itself is missing, not something that it imports. */
const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === 'ERR_MODULE_NOT_FOUND' &&
  error.message.startsWith("Cannot find package '@blockwork/blocks'");
