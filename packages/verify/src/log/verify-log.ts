/** Verifies the log of a journal: that nothing in it was changed, removed or moved. */
import { Findings, type Report } from '../report/report.js';
import { checkEntries } from './entries.js';
import { noteProblem, readCheckpoint, type Checkpoint } from './note.js';
import { checkPlaces } from './places.js';
import { hashesIn, TILE_WIDTH, tilePath, tilesAt, type LogFiles } from './tiles.js';
import { rootOf } from './tree.js';

export interface VerifyLogOptions {
  /** The key of the log, as C2SP `signed-note` writes it, from a place that is trusted; by default the one beside the log. */
  readonly key?: string;
  /** What is known of the log from earlier: a checkpoint, and possibly the tiles, which tell what was changed since. */
  readonly earlier?: LogFiles;
}

/**
 * Verifies a log with all of its files, and that it continues what it was. Never throws because of their content.
 *
 * @example const { ok, wrong } = await verifyLog({ read: (path) => readFile(join(folder, path)) });
 */
export async function verifyLog(files: LogFiles, options: VerifyLogOptions = {}): Promise<Report> {
  const findings = new Findings();
  const note = await textAt(files, 'checkpoint');
  const checkpoint = note === undefined ? undefined : readCheckpoint(note);
  if (checkpoint === undefined) {
    findings.fail('log', 'it has no checkpoint that can be read');
    return reportOf('This is not a log that can be verified.', findings);
  }
  const key = options.key ?? (await textAt(files, 'key'));
  if (options.key === undefined) {
    findings.leave('log', 'Whose key signed the checkpoint: compare it with the one that the instance gives out.');
  }
  await checkNote(findings, checkpoint, key, 'the checkpoint');
  const hashes = await leavesOf(files, checkpoint, findings);
  if (hashes !== undefined) {
    const isWhole = findings.check(
      'log',
      (await rootOf(hashes)) === checkpoint.root,
      'the hashes of its entries do not lead to the root of the checkpoint',
    );
    await checkUpperTiles(files, hashes, findings, isWhole);
    await checkEntries(files, hashes, findings);
    if (options.earlier !== undefined)
      await checkEarlier(options.earlier, { files, checkpoint, hashes, key }, findings);
  }
  const { origin, size, root } = checkpoint;
  return reportOf(`Log ${origin} with ${String(size)} entries and the root ${root}.`, findings);
}

async function checkNote(
  findings: Findings,
  checkpoint: Checkpoint,
  key: string | undefined,
  name: string,
): Promise<void> {
  const problem = key === undefined ? 'there is no key to verify it with' : await noteProblem(checkpoint, key);
  findings.check('signatures', problem === null, `${name}: ${problem ?? ''}`);
}

/** The hashes of all leaves; `undefined` if a tile is not there. */
async function leavesOf(files: LogFiles, { size }: Checkpoint, findings: Findings): Promise<string[] | undefined> {
  const hashes: string[] = [];
  for (const { index, width } of tilesAt(0, size)) {
    const path = tilePath(0, index, width);
    const tile = await files.read(path);
    if (tile?.length !== width * 32) {
      findings.fail('log', `${path} is not there, or has not ${String(width)} hashes`);
      return undefined;
    }
    hashes.push(...hashesIn(tile));
  }
  return hashes;
}

/** Where the root does not fit, they tell in which tile. */
async function checkUpperTiles(
  files: LogFiles,
  leaves: readonly string[],
  findings: Findings,
  isWhole: boolean,
): Promise<void> {
  let below = leaves;
  for (let level = 1; below.length >= TILE_WIDTH; level += 1) {
    const roots: string[] = [];
    for (let at = 0; at + TILE_WIDTH <= below.length; at += TILE_WIDTH) {
      roots.push(await rootOf(below.slice(at, at + TILE_WIDTH)));
    }
    for (const { index, width } of tilesAt(level, leaves.length)) {
      const path = tilePath(level, index, width);
      const stored = hashesIn((await files.read(path)) ?? new Uint8Array());
      for (let at = 0; at < width; at += 1) {
        const subtree = index * TILE_WIDTH + at;
        const first = subtree * TILE_WIDTH ** level;
        const last = first + TILE_WIDTH ** level - 1;
        const range = `the entries ${String(first)} to ${String(last)}`;
        const message = isWhole
          ? `${path} has another hash for ${range} than these give`
          : `${path} says that something among ${range} was changed`;
        findings.check('log', stored[at] === roots[subtree], message);
      }
    }
    below = roots;
  }
}

interface Present {
  readonly files: LogFiles;
  readonly checkpoint: Checkpoint;
  readonly hashes: readonly string[];
  readonly key: string | undefined;
}

async function checkEarlier(
  earlier: LogFiles,
  { files, checkpoint, hashes, key }: Present,
  findings: Findings,
): Promise<void> {
  const note = await textAt(earlier, 'checkpoint');
  const known = note === undefined ? undefined : readCheckpoint(note);
  if (known === undefined) {
    findings.fail('log', 'the earlier checkpoint cannot be read');
    return;
  }
  if (known.origin !== checkpoint.origin) {
    findings.fail('log', `it was begun anew: the earlier checkpoint is that of the log ${known.origin}`);
    return;
  }
  await checkNote(findings, known, key, 'the earlier checkpoint');
  if (known.size > checkpoint.size) {
    const lost = `entries ${String(checkpoint.size)} to ${String(known.size - 1)}`;
    findings.fail('log', `it is shorter than it was: ${lost} are gone, as after the return of an old backup`);
  }
  await checkPlaces({ files: earlier, hashes: await knownLeaves(earlier, known) }, { files, hashes }, findings);
  if (known.size > checkpoint.size) return;
  const continues = (await rootOf(hashes.slice(0, known.size))) === known.root;
  findings.check('log', continues, `its first ${String(known.size)} entries are not those of the earlier checkpoint`);
}

/** None if only the checkpoint is known. */
async function knownLeaves(earlier: LogFiles, { size }: Checkpoint): Promise<string[]> {
  const hashes: string[] = [];
  for (const { index, width } of tilesAt(0, size)) {
    const tile = await earlier.read(tilePath(0, index, width));
    if (tile?.length !== width * 32) return [];
    hashes.push(...hashesIn(tile));
  }
  return hashes;
}

async function textAt(files: LogFiles, path: string): Promise<string | undefined> {
  const bytes = await files.read(path);
  return bytes && new TextDecoder().decode(bytes);
}

const reportOf = (title: string, { held, wrong, unchecked }: Findings): Report => ({
  ok: wrong.length === 0,
  title,
  chapters: [],
  held,
  wrong,
  unchecked,
});
