import { describe, expect, it } from 'vitest';
import type { PolicyEvent } from '@blockwork/client';
import { afterEvent, LiveStore } from '../app/live/live-store.js';
import { Rounds, staleAfter } from '../app/live/refresher.js';
import { blockNode } from '../app/policy/tree/tree-model.js';

const at = '2026-03-14T09:26:53.589Z';
const unit = (revision: number, tags: string[], more: Partial<PolicyEvent> = {}): PolicyEvent =>
  ({
    type: 'unit',
    id: `${revision}`,
    policyId: 'sun',
    revision,
    at,
    cause: 'send',
    tags,
    documents: false,
    ...more,
  }) as PolicyEvent;

const root = blockNode({
  id: 'r',
  tag: 'root',
  children: [
    { id: 'roles', tag: 'choose_role', blockType: 'policyRolesBlock' },
    {
      id: 'page',
      tag: 'page',
      children: [
        { id: 'form', tag: 'form' },
        { id: 'grid', tag: 'grid', children: [{ id: 'filter', tag: 'filter' }] },
      ],
    },
    { id: 'report', tag: 'report', blockType: 'reportBlock' },
    { id: 'group', tag: 'my_group', blockType: 'groupManagerBlock' },
  ],
});

const block = (name: string): readonly unknown[] => ['block', 'sun', 'did:example:a', name, {}];

describe('What moved', () => {
  it('is remembered for each block, and the last unit for the policy', () => {
    const live = [unit(1, ['form', 'grid']), unit(2, ['grid'])].reduce(afterEvent, new LiveStore().current());
    const sun = live.activity.get('sun');
    expect(sun?.last).toMatchObject({ revision: 2, tags: ['grid'] });
    expect(sun?.latestUnits.get('form')?.revision).toBe(1);
    expect(sun?.latestUnits.get('grid')?.revision).toBe(2);
  });

  it('counts once, however often it is heard', () => {
    const once = afterEvent(new LiveStore().current(), unit(2, ['grid']));
    expect(afterEvent(once, unit(2, ['form']))).toBe(once);
    expect(afterEvent(once, unit(1, ['form']))).toBe(once);
  });

  it('is kept for so many policies', () => {
    const events = Array.from({ length: 50 }, (_, n) => unit(1, [], { policyId: `policy-${n}` }));
    expect(events.reduce(afterEvent, new LiveStore().current()).activity.size).toBe(20);
  });
});

describe('After a unit, these are read again', () => {
  it.each([
    ['the block', 'grid', true],
    ['what is in it', 'filter', true],
    ['what it is in', 'page', true],
    ['the page', 'root', true],
    ['a block by its tag', 'tag:grid', true],
    ['not its neighbours', 'form', false],
    ['not other tags', 'tag:form', false],
  ])('%s', (_, name, isStale) => {
    expect(staleAfter(unit(1, ['grid']), root)(block(name))).toBe(isStale);
  });

  it('the journal, but neither findings nor anything of another policy', () => {
    const isStale = staleAfter(unit(1, ['grid']), root);
    expect(isStale(['journal', 'sun'])).toBe(true);
    expect(isStale(['findings', 'sun'])).toBe(false);
    expect(isStale(['journal', 'moon'])).toBe(false);
    expect(isStale(['policies', 'did:example:a'])).toBe(false);
  });

  it('what waits, if it can have moved', () => {
    const waits = (more: object): boolean[] =>
      [root, undefined].map((tree) => staleAfter(unit(1, ['grid'], more), tree)(['pending work', 'sun']));
    expect(waits({})).toEqual([false, false]);
    expect(waits({ documents: true })).toEqual([true, true]);
    expect(waits({ cause: 'tick' })).toEqual([true, true]);
    expect(waits({ cause: 'retry' })).toEqual([true, true]);
  });

  it('reports if documents moved, since no event names them', () => {
    expect(staleAfter(unit(1, ['grid']), root)(block('report'))).toBe(false);
    expect(staleAfter(unit(1, ['grid'], { documents: true }), root)(block('report'))).toBe(true);
  });

  it('who is in a group if somebody may have joined it', () => {
    expect(staleAfter(unit(1, ['grid']), root)(block('group'))).toBe(false);
    expect(staleAfter(unit(1, ['choose_role']), root)(block('group'))).toBe(true);
  });

  it('the policy if somebody may have another role', () => {
    expect(staleAfter(unit(1, ['grid']), root)(['policy', 'sun', 'a'])).toBe(false);
    expect(staleAfter(unit(1, ['choose_role']), root)(['policy', 'sun', 'a'])).toBe(true);
  });

  it('every block while the tree is not known', () => {
    expect(staleAfter(unit(1, ['grid']), undefined)(block('form'))).toBe(true);
  });
});

it('a gap or a change of status makes everything of the policy stale, and the list', () => {
  for (const type of ['gap', 'status']) {
    const isStale = staleAfter({ type, id: '1', policyId: 'sun' } as PolicyEvent, root);
    expect([isStale(block('form')), isStale(['findings', 'sun']), isStale(['policies', 'a'])]).toEqual([
      true,
      true,
      true,
    ]);
    expect(isStale(['journal', 'moon'])).toBe(false);
  }
});

it('what moved is forgotten for somebody else, and the connection is what it is', () => {
  const live = new LiveStore();
  live.connect('live');
  live.receive(unit(1, ['grid']));
  live.clear();
  expect(live.current()).toMatchObject({ connection: 'live', activity: new Map() });
});

it('the page asks for itself only while nobody tells it', () => {
  const live = new LiveStore();
  const blind = (['connecting', 'live', 'lost', 'paused', 'refused'] as const).filter((connection) => {
    live.connect(connection);
    return live.isOffline;
  });
  expect(blind).toEqual(['lost', 'refused']);
});

describe('rounds of reading again', () => {
  const settled = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('come one after the other, and rest for as long as their share allows', async () => {
    let now = 0;
    const log: string[] = [];
    const waits: (() => void)[] = [];
    const invalidateQueries = async ({ predicate }: { predicate?: (query: never) => boolean } = {}): Promise<void> => {
      const keys = [['a'], ['b'], ['c']].filter((queryKey) => predicate?.({ queryKey } as never));
      log.push(keys.flat().join(''));
      now += 50;
    };
    const wait = async (milliseconds: number): Promise<void> =>
      new Promise((resolve) => {
        log.push(`rests ${String(milliseconds)}`);
        waits.push(resolve);
      });
    const rounds = new Rounds({ invalidateQueries }, { rest: 4, now: () => now, wait });
    rounds.note(([kind]) => kind === 'a');
    await settled();
    // Whatever moves meanwhile is one round.
    rounds.note(([kind]) => kind === 'b');
    rounds.note(([kind]) => kind === 'c');
    await settled();
    expect(log).toEqual(['a', 'rests 200']);
    waits.shift()?.();
    await settled();
    expect(log).toEqual(['a', 'rests 200', 'bc', 'rests 200']);
    waits.shift()?.();
    await settled();
    rounds.note(([kind]) => kind === 'a');
    await settled();
    expect(log.slice(4)).toEqual(['a', 'rests 200']);
  });
});

describe('After an edit of a draft', () => {
  const edited = { type: 'status', id: '9', policyId: 'sun', revision: 9, at, action: 'edit', definition: 7 } as const;
  const kinds = ['definition', 'findings', 'policy', 'journal', 'own edit'];
  const readAgain = (ownEdit?: number): string[] =>
    kinds.filter((kind) => staleAfter(edited, undefined, ownEdit)([kind, 'sun']));

  it('of somebody else, its definition and findings are read again', () => {
    for (const ownEdit of [undefined, 6]) {
      expect(readAgain(ownEdit)).toEqual(['definition', 'findings', 'policy', 'journal']);
    }
  });

  it('of this page, they are not: the editor has read them itself', () => {
    for (const ownEdit of [7, 8]) expect(readAgain(ownEdit)).toEqual(['policy', 'journal']);
  });
});
