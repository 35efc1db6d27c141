import { interfaceContainerBlock } from '@blockwork/core/block';
import { blockBench, type BlockFragment } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';

const information = (tag: string, more: Partial<BlockFragment> = {}): BlockFragment => ({
  blockType: 'informationBlock',
  tag,
  uiMetaData: { title: tag },
  ...more,
});

const slot = (title: string): object => ({
  id: expect.any(String),
  uiMetaData: { title },
  content: 'informationBlock',
  blockType: 'informationBlock',
});

describe('interfaceContainerBlock', () => {
  it('answers with the keys of the reference, and one slot for each child in the order of the policy', async () => {
    const bench = blockBench(interfaceContainerBlock, {
      options: { uiMetaData: { type: 'tabs', title: 'All' } },
      children: [information('first'), information('second')],
    });
    expect(await bench.as('Installer').read()).toEqual({
      id: expect.any(String),
      blockType: 'interfaceContainerBlock',
      actionType: 'local',
      readonly: false,
      uiMetaData: { type: 'tabs', title: 'All' },
      blocks: [slot('first'), slot('second')],
    });
  });

  it('names in each slot the id under which the child can be read', async () => {
    const bench = blockBench(interfaceContainerBlock, { children: [information('first')] });
    const { blocks } = (await bench.as('Installer').read()) as { blocks: { id: string }[] };
    const { engine, policyId, owner } = await bench.open();
    expect(await engine.readBlock(owner, policyId, { uuid: blocks[0]!.id })).toMatchObject({ id: blocks[0]!.id });
    expect(await engine.findBlock(owner, policyId, 'first')).toEqual({ uuid: blocks[0]!.id });
  });

  it('leaves null where a child is hidden or forbidden, so that positions keep their meaning', async () => {
    const bench = blockBench(interfaceContainerBlock, {
      roles: ['Installer', 'Verifier'],
      children: [
        information('hidden', { defaultActive: false }),
        information('shown'),
        information('of another', { permissions: ['Verifier'] }),
        information('of nobody', { permissions: [] }),
        information('last'),
      ],
    });
    const blocksFor = async (role: string) => ((await bench.as(role).read()) as { blocks: object[] }).blocks;
    expect(await blocksFor('Installer')).toEqual([null, slot('shown'), null, null, slot('last')]);
    expect(await blocksFor('Verifier')).toEqual([null, slot('shown'), slot('of another'), null, slot('last')]);
  });

  it('leaves null for a child whose dependencies are not completed, until they are', async () => {
    const grid = { blockType: 'interfaceDocumentsSourceBlock', tag: 'grid' };
    const bench = blockBench(interfaceContainerBlock, {
      children: [grid, information('after', { dependencies: ['grid'] })],
    });
    const slots = async () => ((await bench.as('Installer').read()) as { blocks: (object | null)[] }).blocks;
    expect((await slots())[1]).toBeNull();
    await bench.as('Installer').at('grid').send({});
    expect((await slots())[1]).toEqual(slot('after'));
  });

  it('opens a child that is hidden to whoever addresses it', async () => {
    const bench = blockBench(interfaceContainerBlock, { children: [information('hidden', { defaultActive: false })] });
    expect(await bench.as('Installer').at('hidden').read()).toMatchObject({ uiMetaData: { title: 'hidden' } });
  });

  it('as the root answers in the same way, whatever its own defaultActive says', async () => {
    const bench = blockBench(interfaceContainerBlock, { options: { defaultActive: false } });
    const { engine, policyId, owner } = await bench.open();
    const { blocks, ...rest } = await engine.readRoot<Record<string, unknown>>(owner, policyId);
    expect(rest).toEqual({
      id: (await engine.findBlock(owner, policyId, 'root')).uuid,
      blockType: 'interfaceContainerBlock',
      actionType: 'local',
      readonly: false,
      uiMetaData: {},
    });
    expect(blocks).toEqual([null, expect.objectContaining({ blockType: 'benchEventTrigger' }), null]);
  });

  it('takes no data', async () => {
    await expect(blockBench(interfaceContainerBlock).as('Installer').send({})).rejects.toMatchObject({
      code: 'BLOCK_NOT_WRITABLE',
      status: 405,
    });
  });
});
