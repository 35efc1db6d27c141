/** A block that fails in the middle of a chain: everything is as it was, and the caller hears which block it was. */
import { defineBlock, type BlockType, type RunContext } from '@blockwork/core/block';
import { policyBench, type PolicyBench } from '@blockwork/testing';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { overHttp } from './support/http-access.js';
import { wholeStore } from './support/whole-store.js';

const sunlight = readFileSync(new URL('../../examples/test-a-policy/sunlight.policy.json', import.meta.url), 'utf8');

/** Works as long as `isBroken` does not say otherwise. */
const fragile = (isBroken: () => boolean, how: (ctx: RunContext) => never): BlockType =>
  defineBlock({
    type: 'testFragile',
    title: 'Fragile',
    description: 'Breaks when it is told to.',
    kind: 'server',
    on: {
      RunEvent(ctx, event) {
        if (isBroken()) how(ctx);
        ctx.emit('RunEvent', event.data);
      },
    },
  });

/** The policy with the fragile block after the mint, at the end of the chain of an approval. */
function policyEndingIn(block: object): object {
  const policy = JSON.parse(sunlight) as {
    config: { children: { tag: string; children: Record<string, unknown>[] }[] };
  };
  const registry = policy.config.children.find(({ tag }) => tag === 'registry');
  const mint = registry?.children.at(-1);
  delete mint?.['stopPropagation'];
  registry?.children.push(block as Record<string, unknown>);
  return policy;
}

async function reported(how: (ctx: RunContext) => never): Promise<{ bench: PolicyBench; repair: () => void }> {
  let isBroken = true;
  const block = { blockType: 'testFragile', tag: 'fragile', permissions: ['OWNER'], stopPropagation: true };
  const bench = policyBench(policyEndingIn(block), { blocks: [fragile(() => isBroken, how)] });
  await bench.as('alice').choose({ role: 'Producer' });
  await bench.as('alice').send('report', { document: { site: 'Roof', kilowattHours: 3 }, ref: null });
  return { bench, repair: () => (isBroken = false) };
}

const refuses = (ctx: RunContext): never => ctx.fail('BLOCK_MISCONFIGURED', { facts: { reason: 'a test says so' } });
const crashes = (): never => {
  throw new TypeError('SECRET');
};

describe('when a block in the middle of a chain fails', () => {
  it.each([
    ['refuses', refuses, 'BLOCK_MISCONFIGURED', 409],
    ['crashes', crashes, 'BLOCK_FAILED', 500],
  ] as const)('because it %s, documents, tokens, steps and states are as they were', async (_, how, code, status) => {
    const { bench, repair } = await reported(how);
    const { store, policyId } = await bench.open();
    const row = await bench.owner.row('all_reports');
    const before = await wholeStore(store, policyId);

    const failure = bench.owner.press('decide', 'Approve', row);

    await expect(failure).rejects.toMatchObject({ code, status });
    const { message } = (await failure.catch((error: unknown) => error)) as Error;
    expect(message).toContain('"fragile"');
    expect(message).toContain(policyId);
    expect(message).not.toContain('SECRET');
    expect(await wholeStore(store, policyId)).toEqual(before);
    expect((await bench.minted('SUN')).mints).toBe(0);

    repair();
    await bench.owner.press('decide', 'Approve', row);
    expect(await bench.minted('SUN')).toMatchObject({ mints: 1, units: 300n });
    expect(await wholeStore(store, policyId)).not.toEqual(before);
  });

  it('the caller hears over HTTP which policy and block it was', async () => {
    const { bench } = await reported(refuses);
    const { policyId } = await bench.open();
    const access = await overHttp(bench);
    const row = await bench.owner.row('all_reports');

    const failure = access.send(bench.owner, 'decide', { tag: 'Approve', document: row });

    await expect(failure).rejects.toMatchObject({ status: 409 });
    const { message } = (await failure.catch((error: unknown) => error)) as Error;
    expect(message).toContain('"fragile"');
    expect(message).toContain(policyId);
    await access.close();
    await bench.close();
  });
});
