/** A policy whose file readers of the ledger would not take is not published there. */
import { createEngine, MemoryLedger } from '@blockwork/core';
import { afterEach, expect, it } from 'vitest';

const owner = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const config = { blockType: 'interfaceContainerBlock', tag: 'root', permissions: ['ANY_ROLE'] };

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A draft with a description that does not compress, on a ledger whose readers take so many bytes. */
async function draft(ledgerFacts: { publishesPolicies: boolean; policyFileBytes: number }) {
  const ledger = Object.assign(new MemoryLedger(), ledgerFacts);
  const engine = createEngine({ ledger });
  closing.push(() => engine.close());
  const description = Array.from({ length: 2_000 }, (_, n) => (n * 7_919) ** 2).join();
  const { policy } = await engine.importPolicy(owner, { name: 'Solar', description, config });
  return { engine, ledger, id: policy.id };
}

it('the limit, the size and what to do are named, and the draft stays as it was', async () => {
  const { engine, id } = await draft({ publishesPolicies: true, policyFileBytes: 5_000 });
  const before = await engine.getPolicy(owner, id);
  const published = engine.lifecycle.publish(owner, id, '1.0.0');
  await expect(published).rejects.toMatchObject({
    code: 'POLICY_FILE_TOO_LARGE',
    message: expect.stringMatching(
      /it has \d{5} bytes, and readers of the ledger take 5000 at most; remove/,
    ) as unknown,
  });
  expect(await engine.getPolicy(owner, id)).toEqual(before);
  expect(await engine.program.getBacklog()).toMatchObject({ settlements: 0 });
});

it('a file of exactly so many bytes is published, and any is where policies are not', async () => {
  const { engine, ledger, id } = await draft({ publishesPolicies: true, policyFileBytes: 5_000 });
  const publish = () => engine.lifecycle.publish(owner, id, '1.0.0');
  const refusal = await publish().then(
    () => '',
    (error: unknown) => String(error),
  );
  const bytes = Number(/it has (\d+) bytes/.exec(refusal)?.[1]);
  ledger.policyFileBytes = bytes - 1;
  await expect(publish()).rejects.toMatchObject({ code: 'POLICY_FILE_TOO_LARGE' });
  ledger.policyFileBytes = bytes;
  expect(await publish()).toMatchObject({ isValid: true });
  expect(await engine.exportPolicy(owner, id)).toHaveLength(bytes);
  const elsewhere = await draft({ publishesPolicies: false, policyFileBytes: 1 });
  expect(await elsewhere.engine.lifecycle.publish(owner, elsewhere.id, '1.0.0')).toMatchObject({ isValid: true });
});
