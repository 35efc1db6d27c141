/** What the screen of blocks makes of the numbers, the journal and the tree: places, colours, ways, last events. */
import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../app/journal/entry.js';
import { treeLayout } from '../app/policy/picture/tree-layout.js';
import { pendingWorkTexts } from '../app/policy/tree/pending-work.js';
import { latestOf, latestUnitsIn } from '../app/policy/tree/latest-units.js';
import { tonesOf } from '../app/policy/tree/tones.js';
import { blockNode, findNode } from '../app/policy/tree/tree-model.js';
import { pathOf } from '../app/policy/tree/unit-path.js';

const leaf = (id: string, ...permissions: string[]) => ({ id, tag: id, blockType: 'any', permissions });
const root = blockNode({
  ...leaf('root', 'ANY_ROLE'),
  children: [{ ...leaf('a', 'Maker'), children: [leaf('a1', 'Maker'), leaf('a2')] }, leaf('b', 'Checker')],
});

const entry = (id: string, more: object = {}): JournalEntry => ({
  id,
  at: `2026-03-14T09:26:${id.slice(-2)}.000Z`,
  cause: { type: 'send', tag: 'a1', did: 'did:example:a', group: null },
  events: [],
  documents: { added: [], changed: [], removed: [] },
  effects: [],
  warnings: [],
  ...more,
});
const event = (source: string, target: string) => ({ source, output: 'RunEvent', target, input: 'RunEvent', did: 'd' });

describe('the picture of the tree', () => {
  it('has each block to the right of what holds it, no two at one place, and the first child beside it', () => {
    const placed = treeLayout(root, new Set());
    expect(placed.map(({ node, column, row, parent }) => [node.tag, column, row, parent])).toEqual([
      ['root', 0, 0, null],
      ['a', 1, 0, 0],
      ['a1', 2, 0, 1],
      ['a2', 2, 1, 1],
      ['b', 1, 2, 0],
    ]);
  });

  it('has nothing below a collapsed block, and closes the gap', () => {
    const placed = treeLayout(root, new Set(['a']));
    expect(placed.map(({ node, row }) => [node.tag, row])).toEqual([
      ['root', 0],
      ['a', 0],
      ['b', 1],
    ]);
  });
});

describe('the colours of blocks', () => {
  it('are one for each audience, the most frequent first, and shared beyond what can be told apart', () => {
    const { of, legend } = tonesOf(root, 'role', undefined);
    expect(legend[0]).toEqual({ name: 'role-0', label: 'Maker' });
    expect(of(findNode(root, 'a1') ?? root)).toEqual(of(findNode(root, 'a') ?? root));
    expect(new Set(legend.map(({ name }) => name)).size).toBe(4);
    const many = blockNode({
      ...leaf('root', 'R0'),
      children: Array.from({ length: 20 }, (_, at) => leaf(`x${at}`, `R${at}`)),
    });
    const shared = tonesOf(many, 'role', undefined).legend;
    expect(shared).toHaveLength(8);
    expect(shared.at(-1)?.label).toBe('other roles');
  });

  it('are worst first by what waits: failures, then what somebody has to do, then documents', () => {
    const at = (counts: object) => {
      const blocks = new Map([['root', { uuid: 'root', tag: 'root', blockType: 'any', ...counts }]]);
      return tonesOf(root, 'work', blocks).of(root)?.name;
    };
    expect(at({ retries: 1, decisions: 2, documents: 3 })).toBe('failing');
    expect(at({ decisions: 2, documents: 3 })).toBe('waits');
    expect(at({ requests: 1 })).toBe('waits');
    expect(at({ decisions: 0, documents: 3 })).toBe('holds');
    expect(at({ documents: 0 })).toBeUndefined();
  });
});

describe('what waits', () => {
  it('is said in words, without what is nothing', () => {
    expect(pendingWorkTexts({ documents: 1, decisions: 2, aggregation: 0 }).map(({ text }) => text)).toEqual([
      '2 to decide',
      '1 document',
    ]);
  });
});

describe('the last event of a block', () => {
  it('is the newest of the journal that touched it: as its cause, at either end of an event, or as it failed', () => {
    const latestUnits = latestUnitsIn([
      entry('000000000003', { warnings: [{ tag: 'b', code: 'X', message: 'x' }] }),
      entry('000000000002', { events: [event('a1', 'a2')] }),
    ]);
    expect([...latestUnits].map(([tag, { revision }]) => [tag, revision])).toEqual([
      ['a1', 3],
      ['b', 3],
      ['a2', 2],
    ]);
  });

  it('is what was heard, where that is later', () => {
    const touch = (revision: number) => ({ revision, at: '', cause: 'send' });
    const merged = latestOf(
      new Map([
        ['a', touch(5)],
        ['b', touch(5)],
      ]),
      new Map([
        ['a', touch(4)],
        ['b', touch(6)],
      ]),
    );
    expect([merged.get('a')?.revision, merged.get('b')?.revision]).toEqual([5, 6]);
  });
});

describe('the way of a unit', () => {
  it('numbers the blocks in the order in which they were reached, some several times', () => {
    const { hops, steps } = pathOf(
      entry('000000000002', { events: [event('a1', 'a2'), event('a2', 'a2'), event('a2', 'a1')] }),
    );
    expect(hops.map(({ source, target }) => `${source} ${target}`)).toEqual(['a1 a2', 'a2 a1']);
    expect(Object.fromEntries(steps)).toEqual({ a1: [1, 3], a2: [2] });
  });
});
