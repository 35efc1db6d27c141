/** Routes under former names, which are kept for one version: they answer what callers of that version know. */
import { contract, openApiDocument } from '@blockwork/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { defineBlock } from '@blockwork/core/block';
import { trialBlocks } from './support/trial-blocks.js';
import { openWorld, owner, type ServedWorld } from './support/world.js';

const heap = defineBlock({
  ...{ type: 'testHeap', title: 'Heap', description: '', kind: 'server' },
  gathers: { path: 'tag', op: 'eq', value: 'heap' },
});

let world: ServedWorld;
let policyId: string;
beforeAll(async () => {
  world = await openWorld({}, { blocks: [...trialBlocks().blocks, heap] });
  const config = { id: '00000000-0000-4000-8000-000000000001', blockType: 'testHeap', tag: 'heap' };
  ({
    policy: { id: policyId },
  } = await world.engine.importPolicy(owner, { name: 'Heaps', config }));
});
afterAll(() => world.close());

const blocksAt = async (path: string): Promise<{ status: number; total: string | null; items: object[] }> => {
  const response = await world.call('GET', `/policies/${policyId}/${path}`);
  const total = response.headers.get('x-total-count');
  return { status: response.status, total, items: (await response.json()) as object[] };
};

it('pending work is counted under its former name as well, with `gathered` for `aggregation`', async () => {
  const [now, former] = [await blocksAt('pending-work'), await blocksAt('waiting')];
  expect(now.status).toBe(200);
  expect(now.items).toMatchObject([{ tag: 'heap', aggregation: 0 }]);
  const { aggregation: gathered, ...others } = { aggregation: undefined, ...now.items[0] };
  expect(former).toEqual({ ...now, items: [{ ...others, gathered }] });
});

it('the OpenAPI document marks what is kept under a former name as deprecated, and nothing else', () => {
  const { paths } = openApiDocument() as unknown as { paths: Record<string, Record<string, object>> };
  const deprecated = Object.values(paths)
    .flatMap((path) => Object.values(path))
    .flatMap((operation) => ('deprecated' in operation && 'operationId' in operation ? [operation.operationId] : []));
  expect(deprecated).toEqual(
    Object.entries(contract).flatMap(([name, route]) => ('deprecated' in route ? [name] : [])),
  );
  expect(deprecated).toContain('listWaiting');
});
