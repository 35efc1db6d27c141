import { createEngine, type Caller } from '@blockwork/core';
import { defineBlock } from '@blockwork/core/block';
import { block } from '@blockwork/testing';
import { expect, it } from 'vitest';
import { openPostgresStore } from '../src/index.js';
import { describeWithDatabase } from '../../../test/support/postgres/database.js';

const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };

await describeWithDatabase('A read', (database) => {
  it('sees a consistent policy, even if other nodes keep changing it', async () => {
    const other = createEngine({ store: await openPostgresStore({ address: database.address() }) });
    let n = 0;
    const twice = defineBlock({
      type: 'testTwice',
      title: 'Twice',
      description: '',
      kind: 'interface',
      async read(ctx) {
        const first = await ctx.documents.find({ all: [] });
        await other.program.documents.add('p', [{ owner: owner.did, document: { n: (n += 1) } }]);
        return [first.length, (await ctx.documents.find({ all: [] })).length];
      },
    });
    const store = await openPostgresStore({ address: database.address() });
    const engine = createEngine({ store, blocks: [twice] });
    const config = block('interfaceContainerBlock', 'root', { children: [block('testTwice', 'twice')] });
    await engine.importPolicy(owner, { id: 'p', name: 'p', config });
    expect(await engine.readBlock(owner, 'p', { tag: 'twice' })).toEqual([1, 1]);
    expect(JSON.parse(await engine.readBlockText(owner, 'p', { tag: 'twice' }))).toEqual([3, 3]);
    await Promise.all([engine.close(), other.close()]);
  });
});
