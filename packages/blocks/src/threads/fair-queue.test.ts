import { describe, expect, it } from 'vitest';
import { FairQueue } from './thread-pool.js';

describe('a fair queue', () => {
  it('serves its keys in turn, and the tasks of one key in order', () => {
    const queue = new FairQueue<string>();
    for (const task of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.push(task.charAt(0), task);
    const served = Array.from({ length: 6 }, () => queue.shift());
    expect(served).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
    expect(queue.shift()).toBeUndefined();
  });

  it('lets a key that comes late have its turn before the second task of one that waits', () => {
    const queue = new FairQueue<string>();
    queue.push('a', 'a1');
    queue.push('a', 'a2');
    expect(queue.shift()).toBe('a1');
    queue.push('b', 'b1');
    expect([queue.shift(), queue.shift()]).toEqual(['a2', 'b1']);
  });
});
