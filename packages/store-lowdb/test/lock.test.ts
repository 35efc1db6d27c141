import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { openLowdbStore } from '../src/index.js';
import { stateOf, thisProcess } from '../src/lock/lock-owner.js';
import { temporaryFolders } from './tools/folders.js';
import type { HolderLine } from './tools/holder.js';
import { buildProgram, Program } from './tools/program.js';

const newFolder = temporaryFolders();
let program = '';

beforeAll(async () => {
  program = await buildProgram('holder', await newFolder());
});

const hold = (folder: string): Program<HolderLine> => new Program<HolderLine>(program, folder);
const anything = (): boolean => true;

describe('the lock of a folder', { timeout: 120_000 }, () => {
  it('refuses a second process, and says which one holds it and since when', async () => {
    const folder = await newFolder();
    const first = hold(folder);
    await first.heard(anything);
    const second = hold(folder);
    expect(await second.heard(anything)).toEqual({
      refused: 'STORE_LOCKED',
      message: expect.stringMatching(
        new RegExp(
          `^The store at "${folder}" is in use by process ${first.process.pid} on ${hostname()} since \\d{4}-\\d\\d-\\d\\dT`,
        ),
      ),
    });
    first.process.stdin.write('close\n');
    await first.ended;
    const third = hold(folder);
    expect(await third.heard(anything)).toHaveProperty('opened');
    await third.kill();
  });

  it('refuses the same process a second time, until it has closed', async () => {
    const folder = await newFolder();
    const store = await openLowdbStore({ folder });
    await expect(openLowdbStore({ folder: join(folder, '.') })).rejects.toMatchObject({
      code: 'STORE_LOCKED',
      message: expect.stringContaining(`process ${process.pid} on`),
    });
    await store.close();
    await (await openLowdbStore({ folder })).close();
    expect(await readdir(join(folder, 'lock'))).toEqual([]);
  });

  it('is taken over from a process that was killed', async () => {
    const folder = await newFolder();
    const killed = hold(folder);
    await killed.heard(anything);
    await killed.kill();
    expect((await readdir(join(folder, 'lock'))).length).toBe(3);
    await (await openLowdbStore({ folder })).close();
  });

  it.skipIf(process.platform !== 'linux')(
    'is taken over from a process that has ended, but whose parent never asked for its end',
    async () => {
      const folder = await newFolder();
      // The shell becomes a program that knows nothing of the child it was left.
      const parent = spawn('sh', [
        '-c',
        '"$0" "$1" "$2" </dev/null & exec sleep 60',
        process.execPath,
        program,
        folder,
      ]);
      const [said] = (await once(createInterface(parent.stdout), 'line')) as [string];
      const { opened } = JSON.parse(said) as { opened: number };
      process.kill(opened, 'SIGKILL');
      const stat = async (): Promise<string> => readFile(`/proc/${opened}/stat`, 'utf8');
      while (!(await stat()).includes(') Z ')) await pause(10);
      await (await openLowdbStore({ folder })).close();
      expect(await stat()).toContain(') Z ');
      parent.kill();
    },
  );

  it(
    'is never won by two of many processes that want to take it over from a killed one',
    { timeout: 60_000 },
    async () => {
      const folder = await newFolder();
      for (let round = 0; round < 6; round++) {
        const killed = hold(folder);
        await killed.heard(anything);
        await killed.kill();
        const takers = Array.from({ length: 6 }, () => hold(folder));
        const answers = await Promise.all(takers.map((taker) => taker.heard(anything)));
        expect(answers.filter((answer) => answer && 'opened' in answer)).toHaveLength(1);
        expect(
          answers.filter((answer) => answer && 'refused' in answer && answer.refused === 'STORE_LOCKED'),
        ).toHaveLength(5);
        await Promise.all(takers.map((taker) => taker.kill()));
      }
    },
  );

  it('is never won by two of many openings in one process, and by one of them', async () => {
    const folder = await newFolder();
    for (let round = 0; round < 5; round++) {
      const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => openLowdbStore({ folder })));
      const won = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
      expect(won).toHaveLength(1);
      await won[0]?.close();
    }
  });

  it('held on a machine that cannot be seen from here is left alone, with the advice what to remove', async () => {
    const folder = await newFolder();
    const lock = join(folder, 'lock');
    await mkdir(lock);
    const holder = { ...(await thisProcess('2026-01-01T00:00:00.000Z')), host: 'elsewhere', boot: 'another' };
    await writeFile(join(lock, '1-x.json'), JSON.stringify(holder));
    await expect(openLowdbStore({ folder })).rejects.toThrow(
      /process \d+ on elsewhere .* if it has surely ended, remove .*1-x\.json/,
    );
    expect(await readdir(lock)).toEqual(['1-x.json']);
  });

  it.runIf(process.platform === 'linux')(
    'held in another container is respected while that lives, and taken over once it has ended',
    async () => {
      const folder = await newFolder();
      const lock = join(folder, 'lock');
      const other = hold(folder);
      await other.heard(anything);
      const claim = (await readdir(lock)).find((name) => name.endsWith('.json')) ?? '';
      const holder = JSON.parse(await readFile(join(lock, claim), 'utf8')) as object;
      await writeFile(join(lock, claim), JSON.stringify({ ...holder, pid: 1, namespace: 'pid:[1]' }));
      await expect(openLowdbStore({ folder })).rejects.toMatchObject({ code: 'STORE_LOCKED' });
      await other.kill();
      await (await openLowdbStore({ folder })).close();
      expect(await readdir(lock)).toEqual([]);
    },
  );

  it('that cannot be read is left alone', async () => {
    const folder = await newFolder();
    await mkdir(join(folder, 'lock'));
    await writeFile(join(folder, 'lock', '1-x.json'), 'garbage');
    await expect(openLowdbStore({ folder })).rejects.toThrow(/in use by somebody unknown.*1-x\.json/);
  });
});

describe('whether the holder of a lock still lives', () => {
  const cases = [
    ['alive', 'it is this process', {}],
    ['gone', 'no process has its number', { pid: 2 ** 22 + 7 }],
    ['gone', 'its number belongs to another process now', { begun: '1' }],
    ['gone', 'the machine was started again since', { boot: 'earlier' }],
    ['unknown', 'it ran on another machine', { boot: 'another', host: 'elsewhere' }],
    ['unknown', 'it counts processes in another container, and there is no socket of it', { namespace: 'pid:[1]' }],
    ['alive', 'the host was renamed meanwhile', { host: 'renamed' }],
  ] as const;

  it.runIf(process.platform === 'linux').each(cases)('is %s where %s', async (expected, _, changes) => {
    const self = await thisProcess('2026-01-01T00:00:00.000Z');
    expect(await stateOf({ ...self, ...changes }, self, '/nowhere.sock')).toBe(expected);
  });
});
