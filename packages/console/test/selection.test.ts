/** Several blocks of a draft at once: which ones are meant, and the edits that move them together. */
import { describe, expect, it } from 'vitest';
import { blocksOf } from '../app/studio/draft/blocks.js';
import { between, blocksIn, canMoveTo, movesTo, stepFrom, withoutNested } from '../app/studio/tree/selection.js';

interface Branch {
  readonly id: string;
  readonly blockType: string;
  readonly children: readonly Branch[];
}
const block = (id: string, ...children: Branch[]): Branch => ({ id, blockType: 'interfaceContainerBlock', children });
const config = block('root', block('a', block('a1'), block('a2')), block('b'), block('c', block('c1')), block('d'));
const blocks = blocksOf({ ...config });
const at = (...ids: string[]) => withoutNested(new Set(ids), blocks);
const types = new Map();

/** What the parent holds after the moves, applied as the server does: positions count without the moved block. */
function after(parent: string, ids: readonly string[], index: number): string[] {
  let children = (blocks.byId.get(parent)?.source['children'] as Branch[]).map(({ id }) => id);
  for (const move of movesTo(at(...ids), { parent, index }, blocks)) {
    if (move.op !== 'moveBlock') throw new Error(`An edit that moves nothing: ${move.op}.`);
    children = children.filter((id) => id !== move.block);
    children.splice(move.index ?? children.length, 0, move.block);
  }
  return children;
}

it('a range is what is between two rows, in either direction', () => {
  expect(between(['a', 'b', 'c', 'd'], 'b', 'd')).toEqual(['b', 'c', 'd']);
  expect(between(['a', 'b', 'c', 'd'], 'd', 'b')).toEqual(['b', 'c', 'd']);
  expect(between(['a', 'b'], 'folded away', 'b')).toEqual(['b']);
});

it('what is inside of a selected block goes with it, in the order of the tree', () => {
  expect(at('d', 'a2', 'a', 'c1').map(({ id }) => id)).toEqual(['a', 'c1', 'd']);
});

describe('moved together', () => {
  it.each([
    ['to the front', ['b', 'd'], 0, ['b', 'd', 'a', 'c']],
    ['to the end', ['a', 'c'], 4, ['b', 'd', 'a', 'c']],
    ['between others', ['a', 'd'], 2, ['b', 'a', 'd', 'c']],
    ['before one of them', ['b', 'd'], 1, ['a', 'b', 'd', 'c']],
    ['from elsewhere', ['a1', 'c1'], 1, ['a', 'a1', 'c1', 'b', 'c', 'd']],
  ])('%s, they keep their order', (_where, ids, index, expected) => {
    expect(after('root', ids, index)).toEqual(expected);
  });

  it('nothing is edited where they are there already', () => {
    expect(movesTo(at('b', 'c'), { parent: 'root', index: 1 }, blocks)).toEqual([]);
    expect(movesTo(at('b', 'c'), { parent: 'root', index: 3 }, blocks)).toEqual([]);
  });

  it('they do not move into themselves, and the root not at all', () => {
    expect(canMoveTo(at('a', 'b'), 'a2', blocks)).toBe(false);
    expect(canMoveTo(at('a', 'b'), 'c', blocks)).toBe(true);
    expect(canMoveTo(at('root'), 'a', blocks)).toBe(false);
    expect(canMoveTo([], 'a', blocks)).toBe(false);
  });

  it('a step takes all past their neighbour, into it, or out of their parent', () => {
    expect(stepFrom(at('b', 'c'), 'up', blocks, types)).toEqual({ parent: 'root', index: 0 });
    expect(stepFrom(at('b', 'c'), 'down', blocks, types)).toEqual({ parent: 'root', index: 4 });
    expect(stepFrom(at('b', 'c'), 'inwards', blocks, types)).toEqual({ parent: 'a', index: 2 });
    expect(stepFrom(at('a1', 'a2'), 'outwards', blocks, types)).toEqual({ parent: 'root', index: 1 });
    expect(stepFrom(at('a', 'b'), 'up', blocks, types)).toBeUndefined();
    expect(stepFrom(at('c', 'd'), 'down', blocks, types)).toBeUndefined();
    expect(stepFrom(at('a1', 'b'), 'up', blocks, types)).toBeUndefined();
    expect(stepFrom(at('b'), 'outwards', blocks, types)).toBeUndefined();
  });
});

it('the clipboard holds a block, a list of blocks, or something else', () => {
  const one = { blockType: 'informationBlock' };
  expect(blocksIn(JSON.stringify(one))).toEqual([one]);
  expect(blocksIn(JSON.stringify([one, one]))).toEqual([one, one]);
  for (const text of ['[1]', '{}', 'text', '']) expect(blocksIn(text)).toEqual([]);
});
