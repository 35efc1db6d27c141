/** Reads of much data let the rest of the process run in between: counted by macrotasks, on a clock that runs ahead. */
import { createEngine, type Caller, type PolicyEngine } from '@blockwork/core';
import { block, documents } from '@blockwork/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';

const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const policy = {
  name: 'Long lists',
  config: block('interfaceContainerBlock', 'root', {
    children: [
      block('interfaceDocumentsSourceBlock', 'grid', {
        children: [block('documentsSourceAddon', 'source', { dataType: 'vc-documents' })],
      }),
    ],
  }),
};

let engine: PolicyEngine;
let policyId: string;
beforeEach(async () => {
  let now = Date.UTC(2026, 0, 1);
  // Whoever looks at it twice has worked for longer than the loop may be held.
  engine = createEngine({ clock: { now: () => (now += 11) } });
  policyId = (await engine.importPolicy(owner, policy)).policy.id;
  await engine.program.documents.add(policyId, documents(20));
});
afterEach(() => engine.close());

/** How often the event loop turned while the work was done. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const turn = (): void => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isDone = true;
  return turns;
}

it('a page of many rows is made in pieces', async () => {
  const read = () => engine.readBlockText(owner, policyId, { tag: 'grid' });
  expect(await turnsDuring(read)).toBeGreaterThanOrEqual(20);
});

it('one read after the other leaves room for others', async () => {
  const readMany = async (): Promise<void> => {
    for (let n = 0; n < 20; n += 1) await engine.readBlock(owner, policyId, { tag: 'grid' });
  };
  expect(await turnsDuring(readMany)).toBeGreaterThanOrEqual(20);
});
