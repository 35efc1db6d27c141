import { informationBlock } from '@blockwork/core/block';
import { blockBench } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';

const uiMetaData = { type: 'loader', title: 'Under way', description: 'Wait for the registry.' };

describe('informationBlock', () => {
  it('shows what the policy says, and nothing else', async () => {
    expect(await blockBench(informationBlock, { options: { uiMetaData } }).as('Installer').read()).toEqual({
      id: expect.any(String),
      blockType: 'informationBlock',
      actionType: 'local',
      readonly: false,
      uiMetaData,
    });
  });

  it('takes no data', async () => {
    await expect(blockBench(informationBlock).as('Installer').send({})).rejects.toMatchObject({
      code: 'BLOCK_NOT_WRITABLE',
    });
  });
});
