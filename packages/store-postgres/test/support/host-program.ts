/**
 * A program that makes payments, each together with a bill of its own, and kills itself at the moment that it was told.
 * It reports each payment that was acknowledged.
 */
import { createEngine, SeededKeys } from '@blockwork/core';
import { hostWork, openPostgresStore } from '../../src/index.js';
import { blocks, owner } from './cluster-policy.js';
import type { Death, HostProgramSettings } from './host-programs.js';

const { address, policyId, payments, death } = JSON.parse(process.argv[2] ?? '{}') as HostProgramSettings;

const die = (): void => void process.kill(process.pid, 'SIGKILL');
/** After some turns of the event loop, each of which may bring an answer of the database. */
const dieIn = (turns: number): void => {
  if (turns === 0) die();
  else setImmediate(() => dieIn(turns - 1));
};

const store = await openPostgresStore({ address, patienceMs: 60_000, readConnections: 2 });
const engine = createEngine({ store, blocks, keys: new SeededKeys(Buffer.alloc(32, 7)) });
let left = death?.payments ?? Infinity;
for (const n of payments) {
  left -= 1;
  const dieAt = (moment: Death['moment']): void => {
    if (left === 0 && death?.moment === moment) dieIn(death.turns);
  };
  const commitWith = hostWork(async (client) => {
    dieAt('begun');
    await client.query('insert into bill (id, policy) values ($1, $2)', [n, policyId]);
    dieAt('written');
  });
  const options = { idempotencyKey: `payment-${String(n)}`, commitWith };
  await engine.sendToBlock(owner, policyId, { tag: 'account' }, { n }, options);
  dieAt('answered');
  await new Promise((resolve) => process.send?.({ paid: n }, undefined, {}, resolve));
}
await engine.close();
process.disconnect();
