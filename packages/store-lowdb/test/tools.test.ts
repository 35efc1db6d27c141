import type { PolicyStore } from '@blockwork/core';
import type { Change } from '@blockwork/core/adapter';
import { SimulatedDisk } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import {
  backupStore,
  compactStore,
  exportStore,
  importStore,
  openLowdbStore,
  repairStore,
  restoreStore,
  verifyStore,
  type LowdbStore,
} from '../src/index.js';
import { yieldingFileSystem } from './support/yielding-file-system.js';

const folder = '/store';
const partitions = ['p', 'Q \u2028/..', ''];

const put = (partition: string, id: string, content = ''): Change => ({
  op: 'put',
  kind: 'artifact',
  partition,
  value: { id, name: 'line\u2028break\n', extension: '', content },
});

const open = (disk: SimulatedDisk, at = folder): Promise<LowdbStore> =>
  openLowdbStore({ folder: at, fileSystem: disk, partBytes: 400, segmentBytes: 700 });

/** The disk of a killed process: some commits in snapshots, some in the journal. */
async function usedDisk(): Promise<SimulatedDisk> {
  const disk = new SimulatedDisk();
  const store = await open(disk);
  for (let n = 0; n < 30; n++) {
    const partition = partitions[n % 3] ?? '';
    const changes = [put(partition, `r${(n * 7) % 23}`, 'x'.repeat(n))];
    if (n % 5 === 4) changes.push({ op: 'delete', kind: 'artifact', partition, id: `r${(n * 7 - 21) % 23}` });
    await store.commit({ expect: { [partition]: Math.floor(n / 3) }, changes });
    if (n === 19) await store.checkpoint();
  }
  return disk.afterKill().copy();
}

async function contentOf(store: PolicyStore): Promise<unknown> {
  const content: unknown[] = [];
  for (const partition of partitions)
    content.push(await store.find('artifact', partition), await store.revision(partition));
  return content;
}

async function contentIn(disk: SimulatedDisk, at = folder): Promise<unknown> {
  const store = await open(disk.copy(), at);
  expect(store.report.damage).toEqual([]);
  const content = await contentOf(store);
  await store.close();
  return content;
}

/** A rebuilt manifest does not preserve the order of split parts. */
const withoutOrder = (content: unknown): unknown[] =>
  (content as unknown[]).map((one) => (Array.isArray(one) ? one.map((record) => JSON.stringify(record)).sort() : one));

const filesIn = (disk: SimulatedDisk, start = folder): Record<string, string> =>
  Object.fromEntries(
    disk.paths
      .filter((path) => path.startsWith(`${start}/`))
      .map((path) => [path, disk.contentOf(path).toString('hex')]),
  );

const snapshotOf = (disk: SimulatedDisk): string =>
  disk.paths.find((path) => path.startsWith(`${folder}/snapshots/p.artifact.`)) ?? '';

async function exported(disk: SimulatedDisk, at = folder): Promise<string> {
  let text = '';
  await exportStore({
    folder: at,
    fileSystem: disk,
    write: async (chunk) => {
      text += chunk;
    },
  });
  return text;
}

async function* inChunks(text: string): AsyncIterable<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 37) yield bytes.subarray(at, at + 37);
}

describe('verify', () => {
  it('summarizes an intact store, and changes nothing', async () => {
    const disk = await usedDisk();
    const before = filesIn(disk);
    const verification = await verifyStore({ folder, fileSystem: disk });
    expect(verification).toMatchObject({ format: 3, commits: 30, inJournal: 10, tables: 3, damage: [], leftovers: [] });
    expect(filesIn(disk)).toEqual(before);
  });

  it('lists every damaged file, and changes nothing', async () => {
    const disk = await usedDisk();
    const path = snapshotOf(disk);
    disk.put(path, disk.contentOf(path).subarray(0, 40));
    const before = filesIn(disk);
    const { damage } = await verifyStore({ folder, fileSystem: disk });
    expect(damage).toMatchObject([{ file: path.slice(7), table: { partition: 'p', kind: 'artifact' } }]);
    expect(filesIn(disk)).toEqual(before);
  });

  it('reports no damage for files that are replaced while it reads', async () => {
    const disk = new SimulatedDisk();
    const store = await open(disk);
    let writing = true;
    const write = async (): Promise<void> => {
      for (let n = 0; n < 300; n++) {
        await store.commit({ expect: {}, changes: [put('p', `r${n % 40}`, 'x'.repeat(n % 50))] });
        if (n % 10 === 0) await store.checkpoint();
      }
      writing = false;
    };
    const written = write();
    let sound = 0;
    const isWriting = (): boolean => writing;
    while (isWriting()) {
      const verification = await verifyStore({ folder, fileSystem: disk });
      expect(verification.damage).toEqual([]);
      sound += 1;
    }
    await written;
    expect(sound).toBeGreaterThan(3);
    await store.close();
  });

  it('refuses a folder without a store, and creates none', async () => {
    const disk = new SimulatedDisk();
    for (const tool of [verifyStore, repairStore, compactStore])
      await expect(tool({ folder: '/nothing', fileSystem: disk })).rejects.toThrow(/\/nothing/);
    expect(disk.paths).toEqual([]);
  });
});

describe('repair', () => {
  it('gives up nothing by default', async () => {
    const disk = await usedDisk();
    const path = snapshotOf(disk);
    const good = disk.contentOf(path);
    disk.put(path, good.subarray(0, 40));
    const { damage } = await repairStore({ folder, fileSystem: disk });
    expect(damage).toMatchObject([{ file: path.slice(7) }]);
    expect((await repairStore({ folder, fileSystem: disk })).damage).toEqual(damage);
    disk.put(path, good);
    expect((await repairStore({ folder, fileSystem: disk })).damage).toEqual([]);
    expect(await contentIn(disk)).toEqual(await contentIn(await usedDisk()));
  });

  it('serves a table without the part that is given up, and quarantines the damaged file', async () => {
    const disk = await usedDisk();
    const whole = (await contentIn(disk)) as { id: string }[][];
    const path = snapshotOf(disk);
    const { records } = JSON.parse(disk.contentOf(path).toString()) as { records: { id: string }[] };
    const cut = disk.contentOf(path).subarray(0, 40);
    disk.put(path, cut);
    const { damage } = await repairStore({ folder, fileSystem: disk, acceptLoss: true });
    expect(damage).toMatchObject([{ file: path.slice(7) }]);
    const store = await open(disk);
    expect(store.report.damage).toEqual([]);
    const rest = await store.find('artifact', 'p');
    const isLost = ({ id }: { id: string }): boolean => records.some((record) => record.id === id);
    expect(rest).toEqual(expect.arrayContaining((whole[0] ?? []).filter((record) => !isLost(record))));
    expect(await store.find('artifact', '')).toEqual(whole[4]);
    await store.commit({ expect: {}, changes: [put('p', 'new')] });
    await store.close();
    expect(disk.contentOf(path.replace('snapshots', 'quarantine'))).toEqual(cut);
    await contentIn(disk);
  });

  it.each(['is missing', 'is damaged'])('rebuilds store.json if it %s', async (what) => {
    const disk = await usedDisk();
    const expected = await contentIn(disk);
    disk.put(`${folder}/store.json`, what === 'is missing' ? undefined : '{"format":2,"upTo"');
    await expect(repairStore({ folder, fileSystem: disk })).rejects.toThrow(
      /\/store\/store\.json is (missing|damaged)/,
    );
    await repairStore({ folder, fileSystem: disk, acceptLoss: true });
    expect(await contentIn(disk)).toEqual(expected);
  });

  it('names and keeps a damaged part and its records even if store.json is lost', async () => {
    const disk = await usedDisk();
    const path = snapshotOf(disk);
    const flipped = disk.contentOf(path);
    const { records } = JSON.parse(flipped.toString()) as { records: { id: string }[] };
    // Damages the content of a record; every id stays legible.
    const at = flipped.indexOf('xx');
    flipped[at] = (flipped[at] ?? 0) ^ 1;
    disk.put(path, flipped);
    disk.put(`${folder}/store.json`, undefined);
    const { damage } = await repairStore({ folder, fileSystem: disk, acceptLoss: true });
    expect(damage.map(({ file }) => file).sort()).toEqual([path.slice(7), 'store.json']);
    const store = await open(disk);
    const ids = (await store.find('artifact', 'p')).map(({ id }) => id);
    await store.close();
    const lost = records.map(({ id }) => id).filter((id) => !ids.includes(id));
    expect(lost.length).toBeGreaterThan(0);
    expect(damage.find(({ file }) => file === path.slice(7))).toMatchObject({
      table: { partition: 'p', kind: 'artifact' },
      records: lost,
    });
    expect(disk.contentOf(path.replace('snapshots', 'quarantine'))).toEqual(flipped);
  });

  it('deletes nothing that it has not read: every file is in its place or in the quarantine', async () => {
    const whole = await usedDisk();
    const before = [...whole.paths.filter((path) => path.includes('/snapshots/')), `${folder}/store.json`];
    for (const path of before) {
      for (const lacksManifest of [true, false]) {
        const disk = whole.copy();
        disk.put(path, disk.contentOf(path).fill(0, 10, 60));
        disk.put(`${folder}/snapshots/left.tmp`, 'left');
        if (lacksManifest) disk.put(`${folder}/store.json`, '{"format":2');
        const files = filesIn(disk);
        await repairStore({ folder, fileSystem: disk, acceptLoss: true });
        const quarantined = Object.values(filesIn(disk, `${folder}/quarantine`));
        for (const damaged of [
          path,
          `${folder}/snapshots/left.tmp`,
          ...(lacksManifest ? [`${folder}/store.json`] : []),
        ])
          expect(quarantined, damaged).toContain(files[damaged]);
        await contentIn(disk);
      }
    }
  });

  it('uses an older file of a damaged part if the journal has everything since', async () => {
    const disk = await usedDisk();
    const expected = await contentIn(disk);
    const failing = disk.copy();
    // A checkpoint writes new files, and the machine stops before it removes the old ones.
    failing.faults.stopWhere((operation) => operation.startsWith('rename /store/store.json'));
    await expect(compactStore({ folder, fileSystem: failing })).rejects.toThrow();
    const killedDisk = failing.afterKill().copy();
    const newer = killedDisk.paths.find((path) => path.includes('/p.artifact.') && path.endsWith('-30.json')) ?? '';
    killedDisk.put(newer, killedDisk.contentOf(newer).fill(0, 10, 60));
    killedDisk.put(`${folder}/store.json`, undefined);
    await repairStore({ folder, fileSystem: killedDisk, acceptLoss: true });
    expect(withoutOrder(await contentIn(killedDisk))).toEqual(withoutOrder(expected));
  });

  it('names the acknowledged commits that are lost, and reuses none of their numbers', async () => {
    const disk = await usedDisk();
    const path = disk.paths.filter((name) => name.includes('/journal/')).at(-1) ?? '';
    const [header = ''] = disk.contentOf(path).toString().split('\n');
    disk.put(path, `${header}\n`);
    const { first } = JSON.parse(header) as { first: number };
    const commits = first === 30 ? 'commit 30' : `commits ${first} to 30`;
    const reason = `is damaged: ${commits} in it cannot be read, though acknowledged`;
    await expect(repairStore({ folder, fileSystem: disk })).rejects.toThrow(reason);
    const { damage } = await repairStore({ folder, fileSystem: disk, acceptLoss: true });
    expect(damage).toContainEqual({ file: path.slice(7), reason });
    expect(disk.paths).toContain(path.replace('journal', 'quarantine'));
    const store = await open(disk);
    expect(store.report.damage).toEqual([]);
    await store.commit({ expect: {}, changes: [put('p', 'new')] });
    await store.close();
    expect(await verifyStore({ folder, fileSystem: disk })).toMatchObject({ commits: 31, damage: [] });
  });

  it.each(['missing', 'empty'])('skips a journal segment that is %s', async (what) => {
    const disk = await usedDisk();
    const [path = ''] = disk.paths.filter((name) => name.includes('/journal/'));
    disk.put(path, what === 'missing' ? undefined : '');
    await expect(repairStore({ folder, fileSystem: disk })).rejects.toThrow(path);
    const { damage } = await repairStore({ folder, fileSystem: disk, acceptLoss: true });
    expect(damage).toMatchObject([{ file: path.slice(7) }]);
    const store = await open(disk);
    expect(store.report.damage).toEqual([]);
    expect(await store.revision('')).toBe(10);
    await store.close();
  });

  it('replays the readable lines of a damaged journal', async () => {
    const disk = await usedDisk();
    const [path = ''] = disk.paths.filter((name) => name.includes('/journal/'));
    const text = disk.contentOf(path).toString();
    disk.put(path, text.replace('"content":"xxxxx', '"content":"yxxxx'));
    expect((await repairStore({ folder, fileSystem: disk })).damage).toHaveLength(1);
    expect((await repairStore({ folder, fileSystem: disk, acceptLoss: true })).damage).toHaveLength(1);
    const store = await open(disk);
    expect([store.report.damage, await store.count('artifact', '')]).toEqual([[], expect.any(Number)]);
    await store.close();
    expect(disk.paths).toContain(path.replace('journal', 'quarantine'));
  });
});

describe('compact', () => {
  it('reduces the number of files, and keeps the content', async () => {
    const disk = new SimulatedDisk();
    const store = await open(disk);
    const ids = Array.from({ length: 200 }, (_, n) => `r${n}`);
    await store.commit({ expect: { k: 0 }, changes: ids.map((id) => put('p', id, 'x'.repeat(60))) });
    await store.checkpoint();
    const most = ids.filter((_, n) => n % 10 !== 3);
    await store.commit({
      expect: { k: 1 },
      changes: most.map((id) => ({ op: 'delete', kind: 'artifact', partition: 'p', id })),
    });
    await store.close();
    const expected = await contentIn(disk);
    const { filesBefore, filesAfter } = await compactStore({ folder, fileSystem: disk });
    expect(filesAfter).toBeLessThan(filesBefore / 2);
    expect(await contentIn(disk)).toEqual(expected);
    expect(await verifyStore({ folder, fileSystem: disk })).toMatchObject({ damage: [], leftovers: [], records: 20 });
  });

  it('loses nothing if the power is cut or the disk fails at any moment', async () => {
    const whole = await usedDisk();
    const expected = await contentIn(whole);
    for (let moment = 0, isOver = false; !isOver; moment++) {
      const [cut, failing] = [whole.copy(), whole.copy()];
      cut.faults.stopAfter(moment);
      isOver = await compactStore({ folder, fileSystem: cut }).then(
        () => true,
        () => false,
      );
      expect(await contentIn(cut.afterPowerCut(() => 0))).toEqual(expected);
      expect(await contentIn(cut.afterPowerCut(() => 1))).toEqual(expected);
      failing.faults.failNth(moment + 1, 'EIO');
      await compactStore({ folder, fileSystem: failing }).catch(() => undefined);
      failing.faults.heal();
      expect(await contentIn(failing.afterKill())).toEqual(expected);
    }
  });
});

describe('backup and restore', () => {
  it('produce a store with the same content', async () => {
    const disk = await usedDisk();
    const report = await backupStore({ folder, target: '/backup', fileSystem: disk });
    expect(report).toMatchObject({ commits: 30, damage: [] });
    expect(report.files).toBeGreaterThan(5);
    await restoreStore({ backup: '/backup', folder: '/restored', fileSystem: disk });
    const expected = await contentIn(disk);
    expect(await contentIn(disk, '/backup')).toEqual(expected);
    expect(await contentIn(disk, '/restored')).toEqual(expected);
  });

  it.each([
    ['by another process', 200_000],
    ['by the store itself, with constant checkpoints', 3000],
  ])(
    'contain everything acknowledged before, and a prefix of the rest, if the store is being written: %s',
    async (who, checkpointBytes) => {
      const disk = new SimulatedDisk();
      const store = await openLowdbStore({
        folder,
        fileSystem: yieldingFileSystem(disk),
        partBytes: 300,
        segmentBytes: 900,
        checkpointBytes,
      });
      const backUpTo = (target: string): Promise<unknown> =>
        who === 'by another process'
          ? backupStore({ folder, target, fileSystem: yieldingFileSystem(disk) })
          : store.backup(target);
      let acknowledged = 0;
      let isWriting = true;
      const write = async (): Promise<void> => {
        for (let n = 1; isWriting; n++) {
          // Each commit changes three tables and deletes an earlier record.
          const changes = partitions.map((partition) => put(partition, `r${n % 17}`, String(n)));
          changes.push(put('p', 'last', String(n)), {
            op: 'delete',
            kind: 'artifact',
            partition: 'p',
            id: `r${n % 5}`,
          });
          await store.commit({ expect: { k: n - 1 }, changes });
          acknowledged = n;
          // The simulated disk never leaves the microtask queue; this lets other tasks run.
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      const backUp = async (target: string): Promise<void> => {
        const before = acknowledged;
        await backUpTo(target);
        const copy = await open(disk, target);
        const n = await copy.revision('k');
        expect(n).toBeGreaterThanOrEqual(before);
        if (n > 0) {
          expect(await copy.get('artifact', 'p', 'last')).toMatchObject({ content: String(n) });
          for (const partition of ['', partitions[1] ?? ''])
            expect(await copy.get('artifact', partition, `r${n % 17}`)).toMatchObject({ content: String(n) });
        }
        expect(copy.report).toMatchObject({ damage: [] });
        expect(copy.report.truncated).toBeUndefined();
        await copy.close();
      };
      const writing = write();
      try {
        for (let round = 0; round < 25; round++) await backUp(`/backup-${round}`);
      } finally {
        isWriting = false;
        await writing;
        await store.close();
      }
      expect(acknowledged).toBeGreaterThan(100);
    },
  );

  it('are refused if the target is not empty, or inside the store', async () => {
    const disk = await usedDisk();
    disk.put('/full/file', 'x');
    const before = filesIn(disk, '');
    const attempts = [
      () => backupStore({ folder, target: '/full', fileSystem: disk }),
      () => backupStore({ folder, target: folder, fileSystem: disk }),
      () => backupStore({ folder, target: `${folder}/backup`, fileSystem: disk }),
      () => restoreStore({ backup: folder, folder: '/full', fileSystem: disk }),
      () => importStore({ from: inChunks(''), folder: '/full', fileSystem: disk }),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'OPTION_INVALID' });
    expect(filesIn(disk, '')).toEqual(before);
  });

  it('copy a damaged store as it is and report that; a damaged backup is not restored', async () => {
    const disk = await usedDisk();
    const path = snapshotOf(disk);
    disk.put(path, disk.contentOf(path).subarray(0, 40));
    const { damage } = await backupStore({ folder, target: '/backup', fileSystem: disk });
    expect(damage).toMatchObject([{ file: path.slice(7) }]);
    const restoring = restoreStore({ backup: '/backup', folder: '/restored', fileSystem: disk });
    await expect(restoring).rejects.toThrow(`${path.slice(7)} in the backup /backup is damaged`);
  });

  it('leave no incomplete store if they are interrupted', async () => {
    const whole = await usedDisk();
    for (let moment = 0, isOver = false; !isOver; moment++) {
      const disk = whole.copy();
      disk.faults.stopAfter(moment);
      isOver = await backupStore({ folder, target: '/backup', fileSystem: disk }).then(
        () => true,
        () => false,
      );
      const diskLeft = disk.afterPowerCut(() => 0.9);
      const hasStore = diskLeft.paths.includes('/backup/store.json');
      if (hasStore) expect(await contentIn(diskLeft, '/backup')).toEqual(await contentIn(whole));
    }
  });
});

describe('export and import', () => {
  it('produce a store with the same content, order and revisions, and the same export', async () => {
    const disk = await usedDisk();
    const text = await exported(disk);
    await importStore({ folder: '/imported', from: inChunks(text), fileSystem: disk });
    expect(await contentIn(disk, '/imported')).toEqual(await contentIn(disk));
    expect(await exported(disk, '/imported')).toBe(text);
    const [head = '', first = ''] = text.split('\n');
    expect(JSON.parse(head)).toEqual({ export: 'blockwork-store', version: 1, commits: 30 });
    expect(JSON.parse(first)).toMatchObject({ kind: 'artifact', partition: '' });
  });

  it('refuse to export a damaged store', async () => {
    const disk = await usedDisk();
    const path = snapshotOf(disk);
    disk.put(path, undefined);
    await expect(exported(disk)).rejects.toThrow(`${path.slice(7)} in ${folder} is damaged: it is missing`);
  });

  const wrong: [string, (lines: string[]) => string[], RegExp][] = [
    ['is incomplete', (lines) => lines.slice(0, -1), /the last line is missing/],
    [
      'lacks a record',
      (lines) => lines.filter((_, n) => n !== 3),
      /announces \d+ records and \d+ revisions, but there are \d+ and \d+/,
    ],
    ['has a broken line', (lines) => lines.with(2, '{"kind":'), /line 3 of the export is invalid: it is not JSON/],
    [
      'has a record twice',
      (lines) => [...lines.slice(0, 2), ...lines.slice(1)],
      /line 3 .* the record "r14" .* already exists/,
    ],
    ['has an unknown kind of line', (lines) => lines.with(1, '{"kind":"artifact"}'), /line 2 .* neither a record/],
    ['is something else', () => ['{"a":1}'], /line 1 .* not the first line of an export/],
    [
      'is newer',
      (lines) => lines.with(0, '{"export":"blockwork-store","version":2,"commits":1}'),
      /only version 1 is supported/,
    ],
    ['is empty', () => [], /the last line is missing/],
  ];

  it.each(wrong)('refuse to import a file that %s, naming the line, and leave no store', async (_, change, message) => {
    const disk = await usedDisk();
    const lines = (await exported(disk)).trimEnd().split('\n');
    const text = change(lines).join('\n');
    await expect(importStore({ folder: '/imported', from: inChunks(text), fileSystem: disk })).rejects.toThrow(message);
    expect(disk.paths.filter((path) => path.startsWith('/imported/'))).toEqual([]);
    // The right one may follow.
    await importStore({ folder: '/imported', from: inChunks(await exported(disk)), fileSystem: disk });
    expect(await contentIn(disk, '/imported')).toEqual(await contentIn(disk));
  });
});
