import { describe, expect, it } from 'vitest';
import { RowTexts, textWithRows } from './row-texts.js';

const policy = {};
const record = (id: string) => Object.freeze({ id, document: Object.freeze({ n: 1 }) });
let calls = 0;
const make = (id: string) => () => ({ id, at: (calls += 1), document: { n: 1, text: 'ä"\u2028' } });

describe('kept rows', () => {
  it('are made once for each record, policy and source, and are frozen', () => {
    const rows = new RowTexts({ rowCharacters: 1_000 });
    const [one, other] = [record('a'), record('a')];
    const row = rows.row(one, policy, 'source', make('a'));
    expect(rows.row(one, policy, 'source', make('a'))).toBe(row);
    expect(rows.row(other, policy, 'source', make('a'))).not.toBe(row);
    expect(rows.row(one, {}, 'source', make('a'))).not.toBe(row);
    expect(rows.row(one, policy, 'other', make('a'))).not.toBe(row);
    expect(() => Object.assign(row.document, { n: 2 })).toThrow(TypeError);
  });

  it('give way to later ones beyond their limit in characters', () => {
    const rows = new RowTexts({ rowCharacters: 200 });
    const records = Array.from({ length: 10 }, (_, at) => record(String(at)));
    const first = records.map((each) => rows.row(each, policy, 'source', make(each.id)));
    const again = [...records].reverse().map((each) => rows.row(each, policy, 'source', make(each.id)));
    const same = again.reverse().filter((row, at) => row === first[at]);
    expect(same.length).toBeGreaterThan(0);
    expect(same.length).toBeLessThan(5);
  });

  it.each([1, 10_000])('are written as JSON.stringify writes them, with room for %i characters', (rowCharacters) => {
    const rows = new RowTexts({ rowCharacters });
    const cachedRows = ['a', 'b'].map((id) => rows.row(record(id), policy, 'source', make(id)));
    const [row] = cachedRows;
    for (const value of [
      { data: cachedRows },
      { title: 'ä"', data: cachedRows, list: [1, { b: null }], ['__proto__']: 3, 7: 'first', missing: undefined },
      { data: [...cachedRows, { ...row, id: 'changed' }, { own: true }, null, 3, [row]] },
      { data: [] },
      { data: row },
      { inner: { data: cachedRows } },
      [row],
      row,
      null,
      'text',
    ]) {
      expect(textWithRows(value as never)).toBe(JSON.stringify(value));
    }
  });
});
