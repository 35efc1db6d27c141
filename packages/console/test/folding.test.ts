/** What the picture of a policy folds. */
import { describe, expect, it } from 'vitest';
import { foldedFrom, overview, unfoldedTo } from '../app/policy/picture/folding.js';
import { treeLayout } from '../app/policy/picture/tree-layout.js';
import { blockNode } from '../app/policy/tree/tree-model.js';

/** Every block but those at the bottom holds so many. */
const tree = (depth: number, width: number, id = 'r'): Record<string, unknown> => ({
  ...{ id, tag: id, blockType: 'interfaceContainerBlock' },
  children: depth === 0 ? [] : Array.from({ length: width }, (_, at) => tree(depth - 1, width, `${id}${String(at)}`)),
});
const root = blockNode(tree(3, 6));
const drawn = (folded: ReadonlySet<string>): number => treeLayout(root, folded).length;

describe('the picture of a policy', () => {
  it('begins with an overview that fits its rows', () => {
    expect(drawn(new Set())).toBe(1 + 6 + 36 + 216);
    expect(drawn(overview(root, 60))).toBe(1 + 6 + 36);
    expect(drawn(overview(root, 10))).toBe(1 + 6);
    expect(drawn(overview(root, 1))).toBe(1 + 6);
  });

  it('folds nothing of a small policy', () => {
    expect([...overview(root, 216)]).toEqual([]);
    expect([...overview(blockNode({ id: 'alone', tag: 'alone' }))]).toEqual([]);
  });

  it('unfolds what stands around a block that is wanted, and nothing else', () => {
    const folded = foldedFrom(root, 1);
    const unfolded = unfoldedTo(root, folded, ({ tag }) => tag === 'r012');
    expect([...folded].filter((uuid) => !unfolded.has(uuid))).toEqual(['r0', 'r01']);
    expect(unfoldedTo(root, unfolded, ({ tag }) => tag === 'r012')).toBe(unfolded);
    expect(unfoldedTo(root, folded, () => false)).toBe(folded);
  });
});
