/** A published policy on the fake network, whose book is compared with it. */
import { createEngine, type LedgerComparison } from '@blockwork/core';
import { defineBlock } from '@blockwork/core/block';
import { expect } from 'vitest';
import { z } from 'zod';
import { startBench, type Bench } from './bench.js';

export const owner = { did: 'did:example:registry', role: 'OPERATOR', permissions: ['INSTANCE_OPERATE'] };
export const registry = { did: 'did:example:registry', role: 'STANDARD_REGISTRY' };

/** Publishes a message that builds on the one before, and mints of both kinds. */
export const workBlock = defineBlock({
  type: 'workBlock',
  title: 'Work',
  description: '',
  kind: 'interface',
  input: z.object({ messages: z.number().default(1), serials: z.number().default(12) }),
  async receive(ctx, { messages, serials }) {
    for (let n = 1; n < messages; n += 1) {
      const document = { id: `urn:uuid:${ctx.ids.uuid()}`, issuer: registry.did };
      await ctx.ledger.publish({ topic: 'root', type: 'vc-document', owner: registry.did, document });
    }
    const document = { id: `urn:uuid:${ctx.ids.uuid()}`, issuer: registry.did };
    const { id } = await ctx.ledger.publish({ topic: 'root', type: 'vc-document', owner: registry.did, document });
    await ctx.ledger.mint('0.0.77', '0.0.88', 125n, id);
    await ctx.ledger.mint('0.0.78', '0.0.88', BigInt(serials), id);
  },
});

export const closing: (() => Promise<unknown>)[] = [];
/** For `afterEach`. */
export async function closeAll(): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close();
}

export interface World extends Bench {
  readonly policyId: string;
  readonly compare: () => Promise<LedgerComparison>;
  readonly work: (amounts?: { readonly messages: number; readonly serials: number }) => Promise<void>;
}

export async function world(): Promise<World> {
  const bench = startBench();
  const adapter = bench.open();
  const engine = createEngine({ blocks: [workBlock], store: bench.store, ledger: adapter });
  closing.push(() => engine.close());
  const config = { blockType: 'workBlock', tag: 'work', permissions: ['ANY_ROLE'] };
  const fungible = { tokenId: '0.0.77', tokenName: 'Credit', tokenSymbol: 'CR', tokenType: 'fungible', decimals: '2' };
  const deeds = { tokenId: '0.0.78', tokenName: 'Deed', tokenSymbol: 'DE', tokenType: 'non-fungible', decimals: '0' };
  const tokens = [fungible, deeds].map((each) => ({ ...each, enableFreeze: true, enableWipe: true, enableKYC: true }));
  const { policy } = await engine.importPolicy(registry, { name: 'Work', config, tokens });
  await engine.lifecycle.publish(registry, policy.id, '1.0.0');
  const compare = (): Promise<LedgerComparison> => {
    // What came in the last moment is left out.
    bench.clock.advance('1m');
    return engine.ledger.compare(registry, policy.id);
  };
  const work: World['work'] = async (amounts) => {
    await engine.sendToBlock(registry, policy.id, { tag: 'work' }, amounts ?? {});
    await engine.program.ledger.idle();
  };
  await work();
  expect(await engine.program.getBacklog()).toMatchObject({ settlements: 0 });
  return { ...bench, policyId: policy.id, compare, work };
}

export const kinds = ({ differences }: LedgerComparison) => differences.map(({ kind }) => kind);
