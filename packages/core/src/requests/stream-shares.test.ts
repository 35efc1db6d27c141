import { describe, expect, it } from 'vitest';
import { StreamShares, type StreamOptions } from './stream-shares.js';

describe('the streams that are shared with peers', () => {
  it('are those that the program names, and no others', () => {
    const shares = new StreamShares({ news: ['south', 'west'] });
    expect([shares.peersOf('news'), shares.peersOf('other'), new StreamShares().peersOf('news')]).toEqual([
      ['south', 'west'],
      [],
      [],
    ]);
  });

  it.each<[unknown, string]>([
    [7, 'an object of lists of peers'],
    [['south'], 'an object of lists of peers'],
    [{ 'no name': ['south'] }, 'streams.no name'],
    [{ news: 'south' }, 'streams.news'],
    [{ news: [''] }, 'streams.news'],
  ])('are checked: %j', (options, option) => {
    expect(() => new StreamShares(options as StreamOptions)).toThrow(option);
  });
});
