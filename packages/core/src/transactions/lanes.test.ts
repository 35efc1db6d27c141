import { describe, expect, it } from 'vitest';
import { Lanes } from './lanes.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('lanes', () => {
  it('run the tasks of one lane one after another, in the order in which they came', async () => {
    const lanes = new Lanes();
    const log: string[] = [];
    const task = (name: string) => async (): Promise<void> => {
      log.push(`${name} begins`);
      await turn();
      log.push(`${name} ends`);
    };
    await Promise.all([lanes.run('a', task('first')), lanes.run('a', task('second'))]);
    expect(log).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  });

  it('run tasks of different lanes side by side', async () => {
    const lanes = new Lanes();
    let release = (): void => undefined;
    const blocked = lanes.run('a', () => new Promise<void>((resolve) => (release = resolve)));
    await expect(lanes.run('b', () => Promise.resolve('done'))).resolves.toBe('done');
    release();
    await blocked;
  });

  it('go on after a task that failed', async () => {
    const lanes = new Lanes();
    const failed = lanes.run('a', () => Promise.reject(new Error('no')));
    const after = lanes.run('a', () => Promise.resolve('yes'));
    await expect(failed).rejects.toThrow('no');
    await expect(after).resolves.toBe('yes');
  });

  it('are idle once every task has ended, also one that was added meanwhile', async () => {
    const lanes = new Lanes();
    const log: string[] = [];
    void lanes.run('a', async () => {
      await turn();
      log.push('first');
    });
    void lanes.run('a', async () => {
      await turn();
      log.push('second');
    });
    await lanes.idle();
    expect(log).toEqual(['first', 'second']);
  });
});
