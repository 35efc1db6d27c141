/** How values of documents are shown. */
import { describe, expect, it } from 'vitest';
import { dateText, isMoment } from '../app/ui/format.js';

describe('A text in a document', () => {
  it('is a moment, shown in the words of the reader, where it has a date, a time and a zone', () => {
    for (const text of ['2026-10-02T08:30:00.000Z', '2026-10-02T08:30:00+02:00']) {
      expect(isMoment(text)).toBe(true);
      expect(dateText(text)).not.toContain('T08');
    }
  });

  it.each(['2026-10', '2026-10-02', '08:30:00', '2026-10-02T08:30:00', '2026-13-02T08:30:00Z', 'Hilltop'])(
    'stays as it is where it is %s',
    (text) => {
      expect(isMoment(text)).toBe(false);
    },
  );
});
