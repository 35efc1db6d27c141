/** What a store keeps without a copy: nothing that a block or a program holds leads into it. */
import { createEngine, MemoryStore, type Caller } from '@blockwork/core';
import { defineBlock } from '@blockwork/core/block';
import { block } from '@blockwork/testing';
import { expect, it } from 'vitest';

const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
/** Everything that the block can get hold of, changed once the send is committed. */
const values: Record<string, unknown>[] = [];
const facts = { reason: 'before' };

const holder = defineBlock({
  type: 'holder',
  title: 'Holder',
  description: '',
  kind: 'interface',
  outputs: ['Done'],
  async receive(ctx) {
    const input = { owner: owner.did, document: { text: 'before' }, option: { text: 'before' } };
    const added = await ctx.documents.add(input);
    const document = await ctx.documents.get(added.id);
    values.push(
      input.document,
      input.option,
      added.document,
      added.option,
      { ...document?.document },
      document?.option ?? {},
    );
    const updated = await ctx.documents.update({ ...added, document: { text: 'updated' }, option: added.option });
    values.push(updated.document, updated.option);
    ctx.warn('Careful.', facts);
    return {};
  },
});

it('blocks may change what they gave and what they got, before and after the commit', async () => {
  const store = new MemoryStore();
  const engine = createEngine({ store, blocks: [holder] });
  const config = block('holder', 'holder', {});
  const { policy } = await engine.importPolicy(owner, { id: 'held', name: 'Held', config });
  await engine.sendToBlock(owner, policy.id, { tag: 'holder' }, {});
  const stored = async () => [await store.find('document', 'held'), await store.find('journal', 'held')];
  const before = structuredClone(await stored());
  expect(before[0]).toMatchObject([{ document: { text: 'updated' }, option: { text: 'before' } }]);
  expect(JSON.stringify(before[1])).toContain('"reason":"before"');
  for (const value of values) value['text'] = 'after';
  facts.reason = 'after';
  expect(await stored()).toEqual(before);
  await engine.close();
});

it('a store copies change sets that are not final', async () => {
  const store = new MemoryStore();
  const value = { id: 'a', owner: 'did:example:owner', document: { text: 'before' } } as never;
  const change = { op: 'put', kind: 'document', partition: 'p', value } as const;
  await store.commit({ expect: {}, changes: [change] });
  (value as { document: { text: string } }).document.text = 'after';
  expect(await store.get('document', 'p', 'a')).toMatchObject({ document: { text: 'before' } });
});
