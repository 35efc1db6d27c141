import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { openLowdbStore } from '../src/index.js';
import { currentOwner } from '../src/lock/lock-owner.js';
import { temporaryFolders } from '../../../test/support/folders.js';
import type { OwnerLine } from './support/lock-owner.js';
import { buildProgram, Program } from './support/program.js';
import { times } from '../../../test/support/repetitions.js';

const newFolder = temporaryFolders();
let program = '';

beforeAll(async () => {
  program = await buildProgram('lock-owner', await newFolder());
});

const start = (folder: string): Program<OwnerLine> => new Program<OwnerLine>(program, folder);
const firstLine = (): boolean => true;

describe('the lock of a folder', () => {
  it('refuses a second process, naming the owner and since when', async () => {
    const folder = await newFolder();
    const first = start(folder);
    await first.waitFor(firstLine);
    const second = start(folder);
    expect(await second.waitFor(firstLine)).toEqual({
      refused: 'STORE_LOCKED',
      message: expect.stringMatching(
        new RegExp(
          `^The store at "${folder}" is in use by process ${first.process.pid} on ${hostname()} since \\d{4}-\\d\\d-\\d\\dT`,
        ),
      ),
    });
    first.process.stdin.write('close\n');
    await first.ended;
    const third = start(folder);
    expect(await third.waitFor(firstLine)).toHaveProperty('opened');
    await third.kill();
  });

  it('refuses the same process until it has closed the store', async () => {
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
    const killed = start(folder);
    await killed.waitFor(firstLine);
    await killed.kill();
    expect((await readdir(join(folder, 'lock'))).length).toBe(3);
    await (await openLowdbStore({ folder })).close();
  });

  it.skipIf(process.platform !== 'linux')('is taken over from a zombie process', async () => {
    const folder = await newFolder();
    // `exec` replaces the shell by a program that never reaps the child.
    const parent = spawn('sh', ['-c', '"$0" "$1" "$2" </dev/null & exec sleep 60', process.execPath, program, folder]);
    const [line] = (await once(createInterface(parent.stdout), 'line')) as [string];
    const { opened } = JSON.parse(line) as { opened: number };
    process.kill(opened, 'SIGKILL');
    const stat = async (): Promise<string> => readFile(`/proc/${opened}/stat`, 'utf8');
    while (!(await stat()).includes(') Z ')) await pause(10);
    await (await openLowdbStore({ folder })).close();
    expect(await stat()).toContain(') Z ');
    parent.kill();
  });

  it('is taken over from a killed process by exactly one of many', async () => {
    const folder = await newFolder();
    for (let round = 0; round < times(2, 6); round++) {
      const killed = start(folder);
      await killed.waitFor(firstLine);
      await killed.kill();
      const rivals = Array.from({ length: 6 }, () => start(folder));
      const answers = await Promise.all(rivals.map((rival) => rival.waitFor(firstLine)));
      expect(answers.filter((answer) => answer && 'opened' in answer)).toHaveLength(1);
      expect(
        answers.filter((answer) => answer && 'refused' in answer && answer.refused === 'STORE_LOCKED'),
      ).toHaveLength(5);
      await Promise.all(rivals.map((rival) => rival.kill()));
    }
  });

  it('is won by exactly one of many concurrent openings in one process', async () => {
    const folder = await newFolder();
    for (let round = 0; round < 5; round++) {
      const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => openLowdbStore({ folder })));
      const won = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
      expect(won).toHaveLength(1);
      await won[0]?.close();
    }
  });

  it('owned on another machine is respected, with advice what to remove', async () => {
    const folder = await newFolder();
    const lock = join(folder, 'lock');
    await mkdir(lock);
    const owner = { ...(await currentOwner('2026-01-01T00:00:00.000Z')), host: 'elsewhere', boot: 'another' };
    await writeFile(join(lock, '1-x.json'), JSON.stringify(owner));
    await expect(openLowdbStore({ folder })).rejects.toThrow(
      /process \d+ on elsewhere .* if it has ended, remove .*1-x\.json/,
    );
    expect(await readdir(lock)).toEqual(['1-x.json']);
  });

  it.runIf(process.platform === 'linux').each([
    ['a short path', ''],
    ['a path that is too long for a socket address', 'd'.repeat(150)],
  ])(
    'owned in another container is respected while its process lives, and taken over afterwards, on %s',
    async (_, below) => {
      const folder = join(await newFolder(), below);
      const lock = join(folder, 'lock');
      const other = start(folder);
      await other.waitFor(firstLine);
      const candidate = (await readdir(lock)).find((name) => name.endsWith('.json')) ?? '';
      const owner = JSON.parse(await readFile(join(lock, candidate), 'utf8')) as object;
      await writeFile(join(lock, candidate), JSON.stringify({ ...owner, pid: 1, namespace: 'pid:[1]' }));
      await expect(openLowdbStore({ folder })).rejects.toMatchObject({ code: 'STORE_LOCKED' });
      await other.kill();
      await (await openLowdbStore({ folder })).close();
      expect(await readdir(lock)).toEqual([]);
    },
  );

  it('with an unreadable owner is respected', async () => {
    const folder = await newFolder();
    await mkdir(join(folder, 'lock'));
    await writeFile(join(folder, 'lock', '1-x.json'), 'garbage');
    await expect(openLowdbStore({ folder })).rejects.toThrow(/in use by an unknown process.*1-x\.json/);
  });
});
