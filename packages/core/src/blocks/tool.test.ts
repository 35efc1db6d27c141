import { toolBlock } from '@blockwork/core/block';
import { blockBench } from '@blockwork/testing';
import { expect, it } from 'vitest';

const port = (name: string) => ({ name, description: '' });

it('a tool that is not here takes an event no further', async () => {
  const bench = blockBench(toolBlock, { options: { inputEvents: [port('in')], outputEvents: [port('out')] } });
  await bench.as('Farmer').event('in', [{ document: { a: 1 } }]);
  expect(bench.emitted).toEqual([]);
});
