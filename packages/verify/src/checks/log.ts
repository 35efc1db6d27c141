/** The entries of the journal's log that added the documents. */
import type { EarlierLog } from '../contents/bundle.js';
import { digestOf } from '../crypto/digest.js';
import { leafData } from '../log/leaf.js';
import { hexOf, noteProblem, readCheckpoint, fromBase64, type Checkpoint } from '../log/note.js';
import { isContinued, leafHash, rootOfProof } from '../log/tree.js';
import type { Findings } from '../report/report.js';
import type { Context } from './context.js';

/** `since`: a checkpoint that somebody kept. */
export async function checkLog({ bundle, findings }: Context, since?: string): Promise<void> {
  const { log, policy, documents } = bundle;
  if (log === undefined) {
    findings.leave('log', 'When the documents entered the journal: no log is in the file.');
    if (since !== undefined) findings.fail('log', 'no log is in the file that could continue the earlier checkpoint');
    return;
  }
  const checkpoint = readCheckpoint(log.checkpoint);
  if (checkpoint === undefined) {
    findings.fail('log', 'the checkpoint cannot be read');
    return;
  }
  const problem = await noteProblem(checkpoint, log.key);
  findings.check('log', problem === null, `the checkpoint: ${problem ?? ''}`);
  const isOfPolicy = checkpoint.origin.startsWith(`blockwork/${encodeURIComponent(policy.id)}/`);
  findings.check('log', isOfPolicy, 'the checkpoint is that of another policy');
  const added = new Set<string>();
  for (const { id, at, documents: changed, effects, course, index, hashes } of log.entries) {
    const { added: own, changed: others, removed } = changed;
    const outcome = await digestOf({
      documents: { added: [...own], changed: [...others], removed: [...removed] },
      effects: [...effects],
    });
    const proof = hashes.map(hexIn);
    const leaf = await leafHash(leafData({ id, at, outcome, course }));
    const root = await rootOfProof(leaf, index, checkpoint.size, proof);
    findings.check('log', root === checkpoint.root, `the entry ${id} is not in the log of the checkpoint`);
    for (const document of own) added.add(document);
  }
  const others = documents.filter(({ id }) => !added.has(id)).length;
  if (others > 0) {
    const left = `When ${String(others)} of the documents entered the journal: their entries are not in the file.`;
    findings.leave('log', left);
  }
  const proven = await checkGrowth(log.earlier ?? [], checkpoint, findings);
  if (since !== undefined) await checkKept(since, { checkpoint, key: log.key, proven }, findings);
  findings.leave(
    'log',
    'Whose key signed the checkpoint of the journal, and that nobody was shown another one: compare both with what the instance gives out.',
  );
}

/** Roots of the earlier states that the log is proven to continue, by size. */
async function checkGrowth(
  earlier: readonly EarlierLog[],
  checkpoint: Checkpoint,
  findings: Findings,
): Promise<ReadonlyMap<number, string>> {
  const proven = new Map<number, string>();
  for (const { size, root, hashes, messageId } of earlier) {
    const state = { size, root: hexIn(root) };
    const holds = await isContinued({ earlier: state, present: checkpoint, proof: hashes.map(hexIn) });
    const message = `the log is not proven to continue the one with ${String(size)} entries and the root ${root}`;
    if (!findings.check('log', holds, message)) continue;
    proven.set(size, state.root);
    if (messageId === undefined) continue;
    const left = `That the ledger's message ${messageId} has the checkpoint with ${String(size)} entries and the root ${root}: look it up there.`;
    findings.leave('log', left);
  }
  return proven;
}

interface Known {
  readonly checkpoint: Checkpoint;
  readonly key: string;
  readonly proven: ReadonlyMap<number, string>;
}

async function checkKept(since: string, { checkpoint, key, proven }: Known, findings: Findings): Promise<void> {
  const kept = readCheckpoint(since);
  if (kept === undefined) {
    findings.fail('log', 'the earlier checkpoint cannot be read');
    return;
  }
  const { origin, size, root } = kept;
  const problem = await noteProblem(kept, key);
  findings.check('signatures', problem === null, `the earlier checkpoint: ${problem ?? ''}`);
  if (!findings.check('log', origin === checkpoint.origin, `the earlier checkpoint is that of the log ${origin}`))
    return;
  const rootThen = size === checkpoint.size ? checkpoint.root : proven.get(size);
  const entries = `${String(size)} entries`;
  if (rootThen !== undefined)
    findings.check('log', rootThen === root, `the log is not the one of the earlier checkpoint with ${entries}`);
  else {
    // Whoever asks for the proof and gets none knows no more than before.
    const request = size > checkpoint.size ? 'it is older: ask for a new one' : `ask for one "since" ${String(size)}`;
    findings.fail('log', `the bundle does not prove that its log continues the one with ${entries}; ${request}`);
  }
}

const hexIn = (base64: string): string => hexOf(fromBase64(base64) ?? new Uint8Array());
