/** Holds the whole world at the end of a scenario against what its list says of it. */
import { worldView, type ScenarioWorld } from '@blockwork/explorer';
import { expect } from 'vitest';
import type { EndState } from './cases.js';

const OWN = "'s own account";

export async function expectEndState({ bench }: ScenarioWorld, { vc, vp, minted }: EndState): Promise<void> {
  const view = await worldView(bench);
  const expected = [];
  for (const [tokenId, { accounts, ...rest }] of Object.entries(minted)) {
    const named: Record<string, number> = {};
    for (const [holder, units] of Object.entries(accounts)) {
      const account = holder.endsWith(OWN) ? await bench.as(holder.slice(0, -OWN.length)).account() : holder;
      named[account] = units;
    }
    expected.push({ tokenId, accounts: named, ...rest });
  }
  expect(view).toEqual({ vc, vp, minted: expected });
}
