import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openLowdbStore, type LowdbStore } from '../src/index.js';
import { SimulatedDisk } from './tools/simulated-disk.js';

const folder = '/store';
const options = { folder, checkpointBytes: 1500, segmentBytes: 600 };
const writers = 3;

class PowerCut extends Error {}

/** Commits in several writers at once until the power is cut; gives how far each was acknowledged. */
async function writeUntilCut(disk: SimulatedDisk, from: readonly number[]): Promise<number[]> {
  const acknowledged = [...from];
  let store: LowdbStore;
  try {
    store = await openLowdbStore({ ...options, fileSystem: disk });
  } catch {
    return acknowledged;
  }
  const write = async (writer: number): Promise<void> => {
    for (let n = (from[writer] ?? 0) + 1; n < (from[writer] ?? 0) + 12; n++) {
      const value = { id: 'n', name: String(n), extension: '', content: 'x'.repeat(n * 5) };
      const partitions = [`p${writer}`, 'all'];
      const changes = partitions.map((partition) => ({ op: 'put', kind: 'artifact', partition, value: { ...value, id: `w${writer}` } }) as const);
      await store.commit({ expect: { [`k${writer}`]: n - 1 }, changes });
      acknowledged[writer] = n;
    }
  };
  await Promise.allSettled(Array.from({ length: writers }, (_, writer) => write(writer)));
  await store.close().catch(() => undefined);
  return acknowledged;
}

async function found(disk: SimulatedDisk): Promise<{ n: number[]; damage: readonly unknown[] }> {
  const store = await openLowdbStore({ ...options, fileSystem: disk });
  const n: number[] = [];
  for (let writer = 0; writer < writers; writer++) {
    const own = await store.get('artifact', `p${writer}`, `w${writer}`);
    const common = await store.get('artifact', 'all', `w${writer}`);
    expect(common).toEqual(own);
    expect(await store.revision(`k${writer}`)).toBe(Number(own?.name ?? 0));
    n.push(Number(own?.name ?? 0));
  }
  const { damage } = store.report;
  await store.close();
  return { n, damage };
}

describe('a power cut', () => {
  it('takes no acknowledged commit, whatever became of all that was not flushed, at any moment and again and again', async () => {
    const moments = fc.array(fc.record({ at: fc.nat({ max: 260 }), fates: fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })) }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(moments, async (cuts) => {
        let disk = new SimulatedDisk();
        let reached: number[] = new Array<number>(writers).fill(0);
        for (const { at, fates } of cuts) {
          let left = at;
          disk.before = () => {
            if (left-- <= 0) throw new PowerCut();
          };
          const acknowledged = await writeUntilCut(disk, reached);
          disk = disk.afterPowerCut(() => fates.next().value);
          const { n, damage } = await found(disk);
          expect(damage).toEqual([]);
          for (const [writer, count] of acknowledged.entries()) expect([count, count + 1]).toContain(n[writer]);
          reached = n;
        }
      }),
      { numRuns: 300 },
    );
  });
});
