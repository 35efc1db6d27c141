/** The proof of everything that scenarios publish and mint verifies without the engine. */
import { openScenarioWorld, runScenario } from '@blockwork/explorer';
import { verifyBundle } from '@blockwork/verify';
import { describe, expect, it } from 'vitest';
import { allCases } from './support/cases.js';

describe.each(allCases)('$name', ({ script, policy }) => {
  it('leaves documents and mints whose proofs hold', async () => {
    const world = await openScenarioWorld(policy, { status: 'published' });
    try {
      await runScenario(script, world);
      const { engine, policyId, owner } = await world.bench.open();
      const { items } = await engine.documents.list(owner, policyId, { limit: 1000 });
      const published = items.filter(({ messageId }) => messageId);
      for (const { id, type } of published) {
        const report = await verifyBundle(
          JSON.parse(JSON.stringify(await engine.documents.bundle(owner, policyId, id))),
        );
        expect({ type, wrong: report.wrong }).toEqual({ type, wrong: [] });
      }
    } finally {
      await world.close();
    }
  });
});
