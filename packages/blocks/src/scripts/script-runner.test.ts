import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ThreadPool } from '../threads/index.js';
import { ScriptRunner, type ScriptArguments } from './index.js';

const args: ScriptArguments = { documents: [], user: {}, artifacts: [], now: 1_700_000_000_000, seed: 7 };

describe('the script runner', () => {
  it('leaves the event loop free while scripts run', async () => {
    const threads = new ThreadPool({ size: 1 });
    const script = new ScriptRunner({ milliseconds: 60_000 }, threads)
      .run('p', 'while (true) {}', [], args)
      .catch((error: unknown) => error);
    // A script in this thread would not let it turn once in a minute.
    for (let turn = 0; turn < 1_000; turn += 1) await setImmediate();
    await threads.close();
    expect(await script).toBeInstanceOf(Error);
  });

  it('gives each policy its turn, however many scripts another one has waiting', async () => {
    const scripts = new ScriptRunner({ milliseconds: 60_000 }, new ThreadPool({ size: 1 }));
    const order: string[] = [];
    const run = async (policy: string): Promise<void> => {
      await scripts.run(policy, 'done(1);', [], args);
      order.push(policy);
    };
    await Promise.all([run('busy'), run('busy'), run('busy'), run('busy'), run('calm')]);
    expect(order.indexOf('calm')).toBeLessThanOrEqual(2);
  });

  it('gives the same for the same arguments, in whichever thread', async () => {
    const scripts = new ScriptRunner({ milliseconds: 60_000 }, new ThreadPool({ size: 2 }));
    const source = 'done([Math.random(), Date.now(), mathjs.evaluate("0.1 + 0.2"), documents]);';
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        scripts.run(`p${String(at)}`, source, [], { ...args, documents: [{ a: 1 }] }),
      ),
    );
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
  });

  it('names the place where a script fails', async () => {
    await expect(new ScriptRunner({ milliseconds: 60_000 }).run('p', '\n\nmissing();', [], args)).rejects.toMatchObject(
      {
        name: 'ScriptError',
        line: 3,
      },
    );
  });

  it('refuses documents above its limit before a thread sees them', async () => {
    const scripts = new ScriptRunner({ argumentLength: 1_000 });
    const documents = ['x'.repeat(1_000)];
    await expect(scripts.run('p', 'done(1);', [], { ...args, documents })).rejects.toThrow(/more than 1000 characters/);
  });

  it('runs the next script after one that used up its memory', async () => {
    const scripts = new ScriptRunner({ milliseconds: 60_000, memory: 30_000_000 }, new ThreadPool({ size: 1 }));
    const greedy = 'const a = []; while (true) a.push(new Array(1000).fill(1));';
    await expect(scripts.run('p', greedy, [], args)).rejects.toThrow(/memory/);
    expect(await scripts.run('p', 'done("still here");', [], args)).toBe('still here');
  });
});
