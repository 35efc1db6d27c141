import { describe, expect, it } from 'vitest';
import { LaneOwners, ownerOf } from './lane-owner.js';
import { lanes } from './revision-keys.js';

const nodes = ['a', 'b', 'c', 'd'];
const all = Array.from({ length: 200 }, (_, n) => lanes.policy.of(`p${String(n)}`));

describe('the owner of a lane', () => {
  it('is the same for whoever asks, in whatever order the nodes are known', () => {
    for (const lane of all) expect(ownerOf(lane, nodes.toReversed())).toBe(ownerOf(lane, nodes));
  });

  it('is each node for a fair share of the lanes', () => {
    const counts = nodes.map((node) => all.filter((lane) => ownerOf(lane, nodes) === node).length);
    for (const count of counts) expect(count).toBeGreaterThan(all.length / nodes.length / 2);
  });

  it('changes for the lanes of a node that goes, and for no other', () => {
    for (const lane of all) {
      const before = ownerOf(lane, nodes);
      const after = ownerOf(lane, ['a', 'b', 'c']);
      if (before === 'd') expect(['a', 'b', 'c']).toContain(after);
      else expect(after).toBe(before);
    }
  });

  it('is nobody where no nodes are known', () => {
    expect(ownerOf(lanes.policy.of('p'), [])).toBeNull();
  });

  it('is known again without being worked out, until there are other nodes', () => {
    const owners = new LaneOwners();
    for (const list of [nodes, nodes, ['a', 'b', 'c'], [], nodes]) {
      for (const lane of all) expect(owners.of(lane, list)).toBe(ownerOf(lane, list));
    }
  });
});
