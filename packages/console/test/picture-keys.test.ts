/** What the keys do in the picture of the blocks. */
import { describe, expect, it } from 'vitest';
import { moveOf } from '../app/policy/picture/picture-keys.js';
import { treeLayout } from '../app/policy/picture/tree-layout.js';
import { blockNode } from '../app/policy/tree/tree-model.js';

const block = (id: string, ...children: object[]) => ({ id, blockType: 'some', tag: id, children });
const root = blockNode(block('root', block('a', block('b')), block('c')));
const move = (key: string, selected: string | null, folded: readonly string[] = []) => {
  const collapsed = new Set(folded);
  return moveOf(key, treeLayout(root, collapsed), selected, collapsed);
};

describe('In the picture', () => {
  it.each([
    ['ArrowDown', 'root', 'a'],
    ['ArrowDown', 'b', 'c'],
    ['ArrowUp', 'c', 'b'],
    ['ArrowRight', 'a', 'b'],
    ['ArrowLeft', 'b', 'a'],
    ['ArrowLeft', 'c', 'root'],
    ['Home', 'c', 'root'],
    ['End', 'a', 'c'],
    ['ArrowDown', null, 'root'],
    // What is folded away is passed over, and what is selected there is nowhere.
    ['ArrowUp', 'gone', 'root'],
  ])('%s goes from %s to %s', (key, from, to) => {
    expect(move(key, from)).toEqual({ select: to });
  });

  it('Left folds what is unfolded, then goes out of it; Right unfolds it again', () => {
    expect(move('ArrowLeft', 'a')).toEqual({ toggle: 'a' });
    expect(move('ArrowLeft', 'a', ['a'])).toEqual({ select: 'root' });
    expect(move('ArrowRight', 'a', ['a'])).toEqual({ toggle: 'a' });
    expect(move('ArrowDown', 'a', ['a'])).toEqual({ select: 'c' });
  });

  it.each([
    ['ArrowUp', 'root'],
    ['ArrowDown', 'c'],
    ['ArrowRight', 'b'],
    ['Home', 'root'],
    ['End', 'c'],
    ['PageDown', 'a'],
    ['Tab', 'a'],
  ])('%s at %s is left to the browser', (key, at) => {
    expect(move(key, at)).toBeNull();
  });

  it('Left at the root that is folded is left to the browser', () => {
    expect(move('ArrowLeft', 'root', ['root'])).toBeNull();
  });
});
