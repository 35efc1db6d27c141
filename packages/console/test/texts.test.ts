/** Counts in sentences: by the reader's locale, as counts elsewhere. */
import { describe, expect, it } from 'vitest';
import { texts } from '../app/texts.js';

const million = new Intl.NumberFormat().format(1_000_000);

describe('a count in a sentence', () => {
  it('is written as the locale writes numbers', () => {
    expect(texts.page.rows(1_000_000)).toBe(`${million} documents`);
    expect(texts.page.pageOf(1, 1_000_000)).toBe(`Page 1 of ${million}`);
    expect(texts.journal.events(1_000_000)).toBe(`${million} events`);
  });

  it('is in the singular for one', () => {
    expect(texts.page.rows(1)).toBe('1 document');
  });
});
