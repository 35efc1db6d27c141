import { describe, expect, it } from 'vitest';
import { KnownAnswers } from './policy-world.js';

describe('known answers', () => {
  it('are asked for once, until the policy has changed', async () => {
    let [revision, calls] = [1, 0];
    const answers = new KnownAnswers(() => revision);
    const ask = () => Promise.resolve((calls += 1));
    expect([await answers.get('a', ask), await answers.get('a', ask), await answers.get('b', ask)]).toEqual([1, 1, 2]);
    revision = 2;
    expect([await answers.get('a', ask), await answers.get('a', ask)]).toEqual([3, 3]);
  });

  it('are not kept where the policy changes while they are on their way, nor where there is none', async () => {
    let revision = 1;
    const answers = new KnownAnswers(() => revision);
    const early = await answers.get('a', () => {
      revision = 2;
      return Promise.resolve('early');
    });
    expect(early).toBe('early');
    expect(await answers.get('a', () => Promise.resolve('fresh'))).toBe('fresh');
    await expect(answers.get('c', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await answers.get<unknown>('c', () => Promise.resolve(null))).toBeNull();
  });
});
