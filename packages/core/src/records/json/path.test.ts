import { describe, expect, it } from 'vitest';
import { valueAt } from './path.js';

const record = {
  a: { b: 1, 'c d': 2, L: 'a key', 0: 'zero' },
  list: [{ n: 1 }, { n: 2 }, [3, 4]],
  none: null,
  empty: [],
  text: 'abc',
  no: false,
};

describe('valueAt', () => {
  it.each([
    ['a.b', 1],
    ['a.c d', 2],
    ['a.L', 'a key'],
    ['a.0', 'zero'],
    ['list.0.n', 1],
    ['list.1.n', 2],
    ['list.L.L', 4],
    ['list.L.0', 3],
    ['list', record.list],
    ['no', false],
    ['none', null],
  ])('%s leads to what is there', (path, expected) => {
    expect(valueAt(record, path)).toEqual(expected);
  });

  it.each([
    'x',
    'a.x.y',
    'list.3',
    'list.-1',
    'list.1.5',
    'list. ',
    'list.',
    'list.0x1',
    'list.1e0',
    'list.length',
    'list.n',
    'empty.L',
    'empty.0',
    'none.x',
    'text.0',
    'text.length',
    'a.b.toFixed',
    '',
    '.a',
    'a..b',
  ])('%j leads nowhere', (path) => {
    expect(valueAt(record, path)).toBeUndefined();
  });

  it.each(['__proto__', 'constructor', 'a.__proto__', 'list.constructor', 'list.at', 'toString'])(
    '%s leads nowhere: only own members are followed',
    (path) => {
      expect(valueAt(record, path)).toBeUndefined();
    },
  );

  it('follows a member that is called __proto__ where the record has one', () => {
    expect(valueAt(JSON.parse('{"__proto__":{"n":1}}'), '__proto__.n')).toBe(1);
  });

  it.each([null, undefined, 'text', 7])('leads nowhere in %j', (value) => {
    expect(valueAt(value, 'a')).toBeUndefined();
  });
});
