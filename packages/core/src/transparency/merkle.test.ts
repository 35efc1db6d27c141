/** Proofs and tiles against a tree that is computed plainly, straight from the recursive definition of RFC 6962. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { consistencySpans, inclusionSpans, leafHash, verifyConsistency, verifyInclusion, type Hash } from './merkle.js';
import { rootOf, TILE_WIDTH, TiledTree, tileAt, tilePath, tilesOf } from './tiles.js';

const sha256 = (...parts: (Uint8Array | string)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

const all = Array.from({ length: 70_000 }, (_, at) => sha256('\x00', String(at)));
const split = (start: number, end: number): number => {
  let k = 1;
  while (k * 2 < end - start) k *= 2;
  return start + k;
};

const roots = new Map<string, Buffer>();
/** MTH(D[start:end]) of RFC 6962, section 2.1, over the hashes of all leaves. */
const naiveRoot = (start: number, end: number): Buffer => {
  if (start === end) return sha256();
  if (end - start === 1) return all[start]!;
  const name = `${String(start)} ${String(end)}`;
  const middle = split(start, end);
  const root = roots.get(name) ?? sha256('\x01', naiveRoot(start, middle), naiveRoot(middle, end));
  roots.set(name, root);
  return root;
};

/** PATH(m, D[start:end]) of RFC 6962, section 2.1.1. */
const naivePath = (m: number, start: number, end: number): Buffer[] => {
  if (end - start === 1) return [];
  const middle = split(start, end);
  return m < middle
    ? [...naivePath(m, start, middle), naiveRoot(middle, end)]
    : [...naivePath(m, middle, end), naiveRoot(start, middle)];
};

/** SUBPROOF(m, D[start:end], b) of RFC 6962, section 2.1.2. */
const naiveSubproof = (m: number, start: number, end: number, isWhole: boolean): Buffer[] => {
  if (m === end) return isWhole ? [] : [naiveRoot(start, end)];
  const middle = split(start, end);
  return m <= middle
    ? [...naiveSubproof(m, start, middle, isWhole), naiveRoot(middle, end)]
    : [...naiveSubproof(m, middle, end, false), naiveRoot(start, middle)];
};

/** Its tiles hold the roots of full subtrees of 256^level leaves. */
const treeOf = (size: number): TiledTree =>
  new TiledTree(size, (level, index, width) => {
    const leaves = TILE_WIDTH ** level;
    const first = index * TILE_WIDTH;
    const hashes = Array.from({ length: width }, (_, at) =>
      naiveRoot((first + at) * leaves, (first + at + 1) * leaves),
    );
    return Promise.resolve(Buffer.concat(hashes));
  });
const hex = (hashes: readonly Hash[]): string[] => hashes.map((hash) => Buffer.from(hash).toString('hex'));
const LARGEST = 300;

describe('a tree in tiles', () => {
  it('hashes leaves as the vectors of RFC 6962 say', () => {
    expect(Buffer.from(leafHash(new Uint8Array())).toString('hex')).toBe(
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    );
    const vectors = [
      '',
      '00',
      '10',
      '2021',
      '3031',
      '40414243',
      '5051525354555657',
      '606162636465666768696a6b6c6d6e6f',
    ];
    const level = vectors.map((data) => leafHash(Buffer.from(data, 'hex')));
    expect(Buffer.from(rootOf(level)).toString('hex')).toBe(
      '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
    );
  });

  it('has the root of the definition, at every size', async () => {
    for (let size = 0; size <= LARGEST; size += 1) {
      expect(hex([await treeOf(size).root()])).toEqual(hex([naiveRoot(0, size)]));
    }
    expect(hex([await treeOf(all.length).root()])).toEqual(hex([naiveRoot(0, all.length)]));
  });

  it('proves each leaf of each size, with the hashes of the definition', async () => {
    for (const size of sizes()) {
      const [tree, root] = [treeOf(size), naiveRoot(0, size)];
      for (let index = 0; index < size; index += size > 40 ? 7 : 1) {
        const proof = await tree.hashesOf(inclusionSpans(index, size));
        expect(hex(proof)).toEqual(hex(naivePath(index, 0, size)));
        expect(verifyInclusion({ index, size, leaf: all[index]!, proof, root })).toBe(true);
      }
    }
  });

  it('proves that each earlier size is its beginning, with the hashes of the definition', async () => {
    for (const size of sizes()) {
      const [tree, root] = [treeOf(size), naiveRoot(0, size)];
      for (let earlier = 0; earlier <= size; earlier += size > 40 ? 5 : 1) {
        const proof = await tree.hashesOf(consistencySpans(earlier, size));
        const earlierRoot = naiveRoot(0, earlier);
        if (earlier > 0) expect(hex(proof)).toEqual(hex(naiveSubproof(earlier, 0, size, true)));
        expect(verifyConsistency({ earlier, size, earlierRoot, root, proof })).toBe(true);
      }
    }
  });

  it('believes no proof of which one bit, one position or one hash is another', async () => {
    const anyClaim = fc.integer({ min: 2, max: LARGEST }).chain((size) =>
      fc.record({
        size: fc.constant(size),
        index: fc.integer({ min: 0, max: size - 1 }),
        earlier: fc.integer({ min: 1, max: size - 1 }),
        what: fc.constantFrom('leaf', 'root', 'proof', 'index', 'shorter', 'longer', 'earlierRoot'),
        bit: fc.nat({ max: 255 }),
        at: fc.nat(),
      }),
    );
    await fc.assert(
      fc.asyncProperty(anyClaim, async ({ size, index, earlier, what, bit, at }) => {
        const tree = treeOf(size);
        const [root, earlierRoot] = [naiveRoot(0, size), naiveRoot(0, earlier)];
        const inclusion = await tree.hashesOf(inclusionSpans(index, size));
        const consistency = await tree.hashesOf(consistencySpans(earlier, size));
        const bent = (hash: Hash): Hash => {
          const copy = Uint8Array.from(hash);
          copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
          return copy;
        };
        const change = (proof: Hash[]): Hash[] => {
          if (what === 'shorter') return proof.slice(1);
          if (what === 'longer') return [...proof, root];
          return what === 'proof' ? proof.with(at % proof.length, bent(proof[at % proof.length]!)) : proof;
        };
        const leaf = all[index]!;
        expect(
          what !== 'earlierRoot' &&
            verifyInclusion({
              size,
              index: what === 'index' ? (index + 1) % size : index,
              leaf: what === 'leaf' ? bent(leaf) : leaf,
              root: what === 'root' ? bent(root) : root,
              proof: change(inclusion),
            }),
        ).toBe(false);
        expect(
          what !== 'leaf' &&
            what !== 'index' &&
            verifyConsistency({
              size,
              earlier,
              earlierRoot: what === 'earlierRoot' ? bent(earlierRoot) : earlierRoot,
              root: what === 'root' ? bent(root) : root,
              proof: change(consistency),
            }),
        ).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('the path of a tile', () => {
  it('is the one of the specification', () => {
    expect(tilePath({ level: 0, index: 1_234_067, width: 256 })).toBe('tile/0/x001/x234/067');
    expect(tilePath({ level: 1, index: 0, width: 17 })).toBe('tile/1/000.p/17');
    expect(tilePath({ level: 'entries', index: 273, width: 112 })).toBe('tile/entries/273.p/112');
    // The example of the specification: 70,000 leaves.
    expect([...tilesOf(70_000)].filter(({ level }) => level > 0)).toEqual([
      { level: 1, index: 0, width: 256 },
      { level: 1, index: 1, width: 17 },
      { level: 2, index: 0, width: 1 },
    ]);
    expect([...tilesOf(70_000)].filter(({ level }) => level === 0).at(-1)).toEqual({
      level: 0,
      index: 273,
      width: 112,
    });
  });

  it('leads back to the tile, and no other text does', () => {
    const anyTile = fc.record({
      level: fc.oneof(fc.constant('entries' as const), fc.integer({ min: 0, max: 63 })),
      index: fc.integer({ min: 0, max: 1e12 }),
      width: fc.integer({ min: 1, max: TILE_WIDTH }),
    });
    fc.assert(
      fc.property(anyTile, (tile) => {
        expect(tileAt(tilePath(tile))).toEqual(tile);
      }),
    );
    for (const path of [
      'tile/0/067.p/256',
      'tile/0/067.p/0',
      'tile/00/067',
      'tile/0/67',
      'tile/0/x000/067',
      'tile/0/000/',
    ]) {
      expect(tileAt(path)).toBeUndefined();
    }
  });
});

/** All small sizes, and some on both sides of what is full. */
function* sizes(): Generator<number> {
  for (let size = 1; size <= 40; size += 1) yield size;
  for (const size of [63, 64, 65, 127, 128, 129, 255, 256, 257, 299, LARGEST]) yield size;
}
