/** The entries of a log: each is what its leaf says, in its place. */
import { isObject } from '../json.js';
import type { Findings } from '../report/report.js';
import { jsonIn, leafData, leafOf, readLeaf, type Leaf } from './leaf.js';
import { journalPath, leavesIn, tilePath, tilesAt, type LogFiles } from './tiles.js';
import { leafHash } from './tree.js';

/** `hashes`: those of the leaves, in order. */
export async function checkEntries(files: LogFiles, hashes: readonly string[], findings: Findings): Promise<void> {
  const places = new Map(hashes.map((hash, at) => [hash, at]));
  let before = '';
  let untold = 0;
  for (const { index, width } of tilesAt(0, hashes.length)) {
    const first = index * 256;
    const path = tilePath('entries', index, width);
    const bundle = await files.read(path);
    const data = bundle && leavesIn(bundle);
    if (data?.length !== width) {
      findings.fail('entries', `${path} is not there, or has not ${String(width)} entries`);
      continue;
    }
    const leaves: (Leaf | undefined)[] = [];
    for (const [at, bytes] of data.entries()) {
      leaves.push(await checkLeaf(bytes, first + at, { hashes, places, before }, findings));
      before = leaves.at(-1)?.id ?? before;
    }
    const lines = await files.read(journalPath(index));
    if (lines === undefined) untold += width;
    else await checkJournal(new TextDecoder().decode(lines), leaves, findings);
  }
  if (untold > 0) {
    const message = `The content of ${String(untold)} entries, which is not here: whoever may read the journal can export it as well.`;
    findings.leave('entries', message);
  }
}

interface Around {
  readonly hashes: readonly string[];
  /** By hash. */
  readonly places: ReadonlyMap<string, number>;
  /** The id of the entry before. */
  readonly before: string;
}

/** `undefined` for one that is not the leaf of this place. */
async function checkLeaf(
  data: Uint8Array,
  at: number,
  { hashes, places, before }: Around,
  findings: Findings,
): Promise<Leaf | undefined> {
  const place = `the entry ${String(at)}`;
  if (data.length === 0) {
    findings.fail('entries', `${place} was removed`);
    return undefined;
  }
  const [leaf, hash] = [readLeaf(data), await leafHash(data)];
  const name = leaf === undefined ? place : `${place} (${leaf.id})`;
  if (hash !== hashes[at]) {
    const other = places.get(hash);
    const moved = `${name} was moved: it is the entry ${String(other)}`;
    findings.fail('entries', other === undefined ? `${name} was changed` : moved);
    return undefined;
  }
  if (!findings.check('entries', leaf !== undefined, `${place} is not the leaf of an entry`)) return undefined;
  findings.check('entries', leaf !== undefined && leaf.id > before, `${name} comes after a later one`);
  return leaf;
}

/** `lines`: the entries of the journal, one on each. */
async function checkJournal(lines: string, leaves: readonly (Leaf | undefined)[], findings: Findings): Promise<void> {
  const sound = leaves.filter((leaf) => leaf !== undefined);
  const expected = new Map(sound.map((leaf) => [leaf.id, leaf]));
  let last = '';
  for (const line of lines.split('\n').filter((each) => each !== '')) {
    const entry = jsonIn(line);
    const leaf = isObject(entry) ? await leafOf(entry) : undefined;
    const name = `the content of the entry ${leaf?.id ?? '?'}`;
    const known = expected.get(leaf?.id ?? '');
    if (leaf === undefined || known === undefined) {
      // Those of leaves that are wrong themselves are not told twice.
      if (sound.length === leaves.length) findings.fail('entries', `${name} is that of no entry in the log`);
      continue;
    }
    expected.delete(leaf.id);
    const isSame = new TextDecoder().decode(leafData(leaf)) === new TextDecoder().decode(leafData(known));
    const part =
      leaf.outcome === known.outcome ? 'what started it or ran in it' : 'what it says of documents or effects';
    findings.check('entries', isSame, `${name} was changed: ${leaf.at === known.at ? part : 'its time'}`);
    findings.check('entries', leaf.id > last, `${name} was moved`);
    last = leaf.id;
  }
  for (const id of expected.keys()) findings.fail('entries', `the content of the entry ${id} was removed`);
}
