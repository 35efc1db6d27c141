/** Promises about addresses and values: any text is an id, any JSON a value. */
import type { Json } from '@blockwork/core/adapter';
import { expect } from 'vitest';
import { promise, type ConformanceCase } from './conformance-case.js';
import { commit, doc, ids, partition, put, remove } from './sample-records.js';

/** Distinct texts, some of which look alike or are special to file systems, databases or JavaScript. */
export const hostileTexts: readonly string[] = [
  '',
  ' ',
  '.',
  '..',
  '../../etc/passwd',
  'a/b',
  'a\\b',
  'a',
  'A',
  'a%2Fb',
  'a~b',
  '~',
  'con',
  'NUL',
  '\0',
  'line\nbreak\r\n',
  '"quotes\' `and` ${more}',
  "'; DROP TABLE document; --",
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'é',
  'e\u0301',
  '\u{1f469}\u200d\u{1f52c}',
  '\ud800',
  '\ud801',
  '\ufffd',
  'ß',
  'ss',
  '*?<>|:',
  'x'.repeat(300),
  'x'.repeat(299) + 'y',
  'did:hedera:testnet:z6Mk_0.0.1',
];

const byText = (texts: readonly string[]): string[] => [...texts].sort();

export const addressing: readonly ConformanceCase[] = [
  promise('takes any text as an id', async (store) => {
    await commit(store, ...hostileTexts.map((id, n) => put(id, { n })));
    expect(await ids(store)).toEqual(hostileTexts);
    for (const [n, id] of hostileTexts.entries())
      expect(await store.get('document', partition, id)).toMatchObject({ id, n });
    await commit(store, ...hostileTexts.slice(1).map((id) => remove(id)));
    expect(await ids(store)).toEqual(['']);
  }),
  promise('takes any text as a partition', async (store) => {
    await commit(store, ...hostileTexts.map((text, n) => put('1', { n }, text)));
    for (const [n, text] of hostileTexts.entries())
      expect(await store.find('document', text)).toEqual([doc('1', { n })]);
    await commit(store, remove('1', 'a'));
    expect([await store.count('document', 'a'), await store.count('document', 'A')]).toEqual([0, 1]);
  }),
  promise('takes any text as a revision key', async (store) => {
    for (const text of hostileTexts) await store.commit({ expect: Object.fromEntries([[text, 0]]), changes: [] });
    await store.commit({ expect: Object.fromEntries(hostileTexts.map((text) => [text, 1])), changes: [] });
    for (const text of hostileTexts) expect(await store.revision(text)).toBe(2);
  }),
  promise('keeps members of any name', async (store) => {
    const members = Object.fromEntries(hostileTexts.map((text, n) => [text, n]));
    await commit(store, put('a', { option: members }));
    const document = await store.get('document', partition, 'a');
    expect(byText(Object.keys(document?.option ?? {}))).toEqual(byText(hostileTexts));
    expect(Object.entries(document?.option ?? {}).sort()).toEqual(Object.entries(members).sort());
    expect(Object.getPrototypeOf(document?.option)).toBe(Object.prototype);
  }),
  promise('keeps texts, numbers and nesting exactly', async (store) => {
    const deep = Array.from({ length: 200 }).reduce<Json>((inner) => [inner], 'bottom');
    const numbers = [
      0,
      -1,
      0.1,
      1e308,
      5e-324,
      Number.MAX_SAFE_INTEGER,
      -Number.MAX_SAFE_INTEGER,
      1e21,
      123456789.12345679,
    ];
    const members = { deep, numbers, texts: [...hostileTexts], empty: [{}, [], ''] };
    await commit(store, put('a', members));
    expect(await store.get('document', partition, 'a')).toEqual(doc('a', members));
  }),
  promise('keeps a value of a mebibyte', async (store) => {
    const text = 'äb\n"\u{1f600}'.repeat(2 ** 20 / 10);
    await commit(store, put('a', { text }), put('b'));
    expect(await store.get('document', partition, 'a')).toEqual(doc('a', { text }));
    expect(await ids(store, { where: { path: 'text', op: 'eq', value: text } })).toEqual(['a']);
  }),
  promise('takes a thousand records in one commit', async (store) => {
    const all = Array.from({ length: 1000 }, (_, n) => `d${n}`);
    await commit(store, ...all.map((id) => put(id)));
    expect(await ids(store)).toEqual(all);
  }),
];
