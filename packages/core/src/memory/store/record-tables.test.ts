import { describe, expect, it } from 'vitest';
import type { Change } from '../../ports/index.js';
import { RecordTables } from './record-tables.js';

const put = (partition: string, id: string, name = ''): Change => ({
  op: 'put',
  kind: 'artifact',
  partition,
  value: { id, name, extension: '', content: '' },
});

const apply = (tables: RecordTables, ...changes: Change[]): void => tables.apply({ expect: {}, changes });

describe('RecordTables', () => {
  it('names the kinds and partitions that hold records, and those only', () => {
    const tables = new RecordTables();
    apply(tables, put('p', 'a'), put('p', 'b'), put('q', 'a'));
    expect([...tables.tables()]).toEqual([
      { partition: 'p', kind: 'artifact', size: 2 },
      { partition: 'q', kind: 'artifact', size: 1 },
    ]);
    apply(tables, { op: 'delete', kind: 'artifact', partition: 'q', id: 'a' });
    expect([...tables.tables()]).toEqual([{ partition: 'p', kind: 'artifact', size: 2 }]);
  });

  it('gives the records of one moment, which later commits do not change', () => {
    const tables = new RecordTables();
    apply(tables, put('p', 'a', 'old'), put('p', 'b'));
    const artifacts = tables.values('artifact', 'p');
    apply(tables, put('p', 'a', 'new'), { op: 'delete', kind: 'artifact', partition: 'p', id: 'b' });
    expect(artifacts.map(({ id, name }) => [id, name])).toEqual([
      ['a', 'old'],
      ['b', ''],
    ]);
  });

  it('keeps the order of what was loaded, and goes on behind it', async () => {
    const tables = new RecordTables();
    const records = ['b', 'a'].map((id) => ({ id, name: '', extension: '', content: '' }));
    tables.load('artifact', 'p', records);
    apply(tables, put('p', 'c'), put('p', 'b', 'again'));
    expect((await tables.find('artifact', 'p')).map(({ id }) => id)).toEqual(['b', 'a', 'c']);
  });

  it('keeps records of a kind that it does not know', async () => {
    const tables = new RecordTables();
    tables.load('unheard-of' as 'artifact', 'p', [{ id: 'a', name: 'n', extension: '', content: '' }]);
    expect(await tables.count('unheard-of' as 'artifact', 'p', { path: 'name', op: 'eq', value: 'n' })).toBe(1);
  });
});
