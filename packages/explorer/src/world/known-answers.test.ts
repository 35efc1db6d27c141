import { describe, expect, it } from 'vitest';
import { KnownAnswers } from './policy-world.js';

describe('known answers', () => {
  it('are asked for once, until the policy has changed', async () => {
    let [revision, asked] = [1, 0];
    const known = new KnownAnswers(() => revision);
    const ask = () => Promise.resolve((asked += 1));
    expect([await known.get('a', ask), await known.get('a', ask), await known.get('b', ask)]).toEqual([1, 1, 2]);
    revision = 2;
    expect([await known.get('a', ask), await known.get('a', ask)]).toEqual([3, 3]);
  });

  it('are not kept where the policy changes while they are on their way, nor where there is none', async () => {
    let revision = 1;
    const known = new KnownAnswers(() => revision);
    const early = await known.get('a', () => {
      revision = 2;
      return Promise.resolve('early');
    });
    expect(early).toBe('early');
    expect(await known.get('a', () => Promise.resolve('fresh'))).toBe('fresh');
    await expect(known.get('c', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await known.get<unknown>('c', () => Promise.resolve(null))).toBeNull();
  });
});
