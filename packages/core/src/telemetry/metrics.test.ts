import { expect, it } from 'vitest';
import { channels } from './channels.js';
import type { MetricLabels } from './metric-recorders.js';
import { measureOperations } from './metrics.js';
import { unnamedSource } from './operations.js';

const read = async (blockType: string, code?: string): Promise<void> => {
  const operation = { source: unnamedSource, traceparent: undefined, policyId: 'p', block: 'b', blockType };
  await channels.read.trace(code === undefined ? operation : { ...operation, code }, () => Promise.resolve());
};

it('labels are bound once for each combination, and those without a value are left out', async () => {
  const bound: MetricLabels[] = [];
  const recorded: MetricLabels[] = [];
  const stop = measureOperations(unnamedSource, ({ name }, labels) => {
    if (name === 'blockwork.read.duration') bound.push(labels);
    return () => {
      if (name === 'blockwork.read.duration') recorded.push(labels);
    };
  });
  for (const type of ['grid', 'form', 'grid']) await read(type);
  await read('grid', 'TOO_BAD');
  stop();
  await read('grid');
  const [grid, form] = [{ 'blockwork.block.type': 'grid' }, { 'blockwork.block.type': 'form' }];
  const failed = { 'blockwork.block.type': 'grid', 'error.type': 'TOO_BAD' };
  expect(bound).toEqual([grid, form, failed]);
  expect(recorded).toEqual([grid, form, grid, failed]);
});

it('only the first thousand combinations of a metric are kept, and the further ones are measured all the same', async () => {
  let bound = 0;
  let recorded = 0;
  const stop = measureOperations(unnamedSource, () => {
    bound += 1;
    return () => void (recorded += 1);
  });
  for (let at = 0; at < 1_001; at += 1) await read(`type ${at}`);
  await read('type 0');
  await read('type 1000');
  stop();
  expect(recorded).toBe(1_003);
  expect(bound).toBe(1_002);
});
