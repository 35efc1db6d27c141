/** The nodes of a cluster, as an operator sees them. */
import { createEngine, type PolicyEngine } from '@blockwork/core';
import { MemoryCluster } from '@blockwork/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './support/browser.js';
import { owner } from './support/console-world.js';
import { openJourney, type Journey } from './support/journey.js';

describe.skipIf(chromiumPath === undefined)('The console shows a cluster', () => {
  let journey: Journey;
  let other: PolicyEngine;

  beforeAll(async () => {
    const cluster = new MemoryCluster({ now: () => Date.now() });
    const node = (nodeName: string) => ({ store: cluster.connect(), nodeName });
    other = createEngine(node('harbour'));
    await other.listPolicies(owner);
    journey = await openJourney({ at: () => '/operator', people: [owner], engine: node('hilltop') });
  });

  afterAll(async () => {
    await journey.close();
    await other.close();
  });

  it('with every node, the one that answers, and all columns even beside two other cards', async () => {
    const { page } = journey;
    await page.setViewportSize({ width: 1280, height: 900 });
    const nodes = page.getByRole('region', { name: 'Nodes' });
    await nodes.getByRole('rowheader', { name: 'harbour', exact: true }).waitFor();
    await nodes.getByRole('rowheader', { name: /^hilltop\s+this one$/ }).waitFor();
    const beyond = await page.evaluate<number>(`(() => {
      const { scrollWidth, clientWidth } = document.querySelector('[role=region][aria-label=Nodes]');
      return scrollWidth - clientWidth;
    })()`);
    expect(beyond).toBe(0);
  });
});
