/** Runs an engine with a custom store and ledger twice on the same files: the second run continues where the first one ended. */
import { createEngine, isBlockworkError } from '@blockwork/core';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificateBlock, policy } from './certificates.js';
import { FileLedger } from './file-ledger.js';
import { LogStore } from './log-store.js';

const registry = { did: 'did:example:registry', role: 'STANDARD_REGISTRY' };
const producer = { did: 'did:example:producer', role: 'USER' };
const folder = await mkdtemp(join(tmpdir(), 'custom-adapters-'));
const files = { store: join(folder, 'store.log'), ledger: join(folder, 'ledger.log') };

const open = async () =>
  createEngine({
    blocks: [certificateBlock],
    store: await LogStore.open(files.store),
    ledger: await FileLedger.open({ path: files.ledger, mostUnits: 1000n }),
  });

let engine = await open();
const { policy: draft } = await engine.importPolicy(registry, policy);
await engine.lifecycle.publish(registry, draft.id, '1.0.0');
const report = (megawattHours: number) =>
  engine.sendToBlock(producer, draft.id, { tag: 'certificates' }, { account: '0.0.1001', megawattHours });
console.log('made:', await report(42));
await report(5000).catch((error: unknown) => console.log('refused:', isBlockworkError(error) && error.message));
await engine.close();

engine = await open();
console.log('after a restart:', await report(8));
// Effects are settled in the background, after the commit.
await engine.program.ledger.idle();
await engine.close();

for (const line of (await readFile(files.ledger, 'utf8')).trim().split('\n')) {
  const { type, amount } = JSON.parse(line) as { type: string; amount?: string };
  console.log('on the ledger:', type, amount ?? '');
}
await rm(folder, { recursive: true });
