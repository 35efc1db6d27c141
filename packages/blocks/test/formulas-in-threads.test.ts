/** A large calculation of one policy, and what another policy does in the meantime. */
import { blockBench } from '@blockwork/testing';
import { expect, it } from 'vitest';
import { calculateContainerBlock, calculateMathAddon, reportBlock, ThreadPool } from '../src/index.js';
import { FARM, schemas } from './farm-schemas.js';

const other = {
  name: 'Other',
  description: '',
  topicDescription: '',
  policyRoles: [],
  policyGroups: [],
  config: {
    blockType: 'reportBlock',
    tag: 'report',
    id: 'f5a0c6a1-1f3b-4b1e-8f6a-3c2d1e0f9a8b',
    permissions: ['ANY_ROLE'],
  },
};

/** Half an hour of work: it cannot end before the other policy has answered. */
const equations = Array.from({ length: 2_000 }, (_, at) => ({
  variable: `v${String(at)}`,
  formula: 'sum((1:2000) .^ 1.37)',
}));

it('a large calculation delays neither a send nor a read of another policy', async () => {
  const threads = new ThreadPool({ size: 1 });
  const formulas = { milliseconds: 3_600_000 };
  const bench = blockBench(calculateContainerBlock, {
    blocks: [calculateMathAddon({ formulas, threads }), reportBlock],
    policy: { schemas },
    options: { inputSchema: FARM, outputSchema: FARM },
    children: [{ blockType: 'calculateMathAddon', tag: 'formulas', equations }],
  });
  const { engine, owner } = await bench.open();
  const { policy } = await engine.importPolicy(owner, other);

  const calculation = bench
    .as('Farmer')
    .event('RunEvent', {
      owner: 'did:bench:ann',
      document: { type: ['VerifiableCredential'], credentialSubject: [{ id: 'urn:subject' }] },
    })
    .catch((error: unknown) => error);
  await engine.sendToBlock(owner, policy.id, { tag: 'report' }, { filterValue: 'some hash' });
  expect(await engine.readBlock(owner, policy.id, { tag: 'report' })).toMatchObject({ hash: 'some hash' });

  await threads.close();
  expect(await calculation).toBeInstanceOf(Error);
  expect(bench.emitted).toEqual([]);
  await bench.close();
});
