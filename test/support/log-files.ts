/** The log of a policy as the files that are exported, in memory. */
import type { Caller, PolicyEngine } from '@blockwork/core';

export type Files = Map<string, Uint8Array>;

export async function logFiles(engine: PolicyEngine, owner: Caller, policyId: string): Promise<Files> {
  const { note, key, size } = await engine.journalLog.checkpoint(owner, policyId);
  const files: Files = new Map([
    ['checkpoint', Buffer.from(note)],
    ['key', Buffer.from(`${key}\n`)],
  ]);
  const add = async (path: string): Promise<void> => {
    files.set(path, await engine.journalLog.tile(owner, policyId, path));
  };
  for (let [level, hashes] = [0, size]; hashes > 0; level += 1, hashes = Math.floor(hashes / 256)) {
    for (let at = 0; at < hashes; at += 256) {
      const width = Math.min(256, hashes - at);
      const name = String(at / 256).padStart(3, '0') + (width === 256 ? '' : `.p/${String(width)}`);
      await add(`tile/${String(level)}/${name}`);
      if (level > 0) continue;
      await add(`tile/entries/${name}`);
      const { items } = await engine.journal.list(owner, policyId, { offset: at, limit: width });
      const lines = items.map((entry) => `${JSON.stringify(entry)}\n`).join('');
      files.set(`journal/${String(at / 256).padStart(3, '0')}.jsonl`, Buffer.from(lines));
    }
  }
  return files;
}

export const reading = (files: Files): { read(path: string): Promise<Uint8Array | undefined> } => ({
  read: (path) => Promise.resolve(files.get(path)),
});
