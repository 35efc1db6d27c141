/** The table of `npm run mutation`, held to the folders that there are, and the sample that it draws. */
import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { rooms } from '../../scripts/mutation/rooms.mjs';
import { sampleOf } from '../../scripts/mutation/sample-of.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const sources = Object.values(rooms).flatMap((room) => room.sources);
const foldersIn = (folder: string): string[] =>
  readdirSync(`${root}${folder}`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${folder}/${name}`);
const hasRoom = (folder: string): boolean => sources.includes(`${folder}/**/*.ts`);

it('every folder of the packages has a room with an aim', () => {
  const withoutRoom = foldersIn('packages')
    .map((folder) => `${folder}/src`)
    .filter((folder) => !hasRoom(folder))
    .flatMap(foldersIn)
    .filter((folder) => !hasRoom(folder));
  expect(withoutRoom).toEqual([]);
});

it('every room has sources', () => {
  for (const source of sources) expect(() => statSync(root + source.replace('/**/*.ts', '')), source).not.toThrow();
});

it('a sample holds as many different mutants as it is asked for, the same ones for the same seed', () => {
  const all = Array.from({ length: 50 }, (_, at) => String(at));
  const sample = sampleOf(all, 20, 7);
  expect(new Set(sample).size).toBe(20);
  expect(all).toEqual(expect.arrayContaining(sample));
  expect(sampleOf(all, 20, 7)).toEqual(sample);
  expect(sampleOf(all, 20, 8)).not.toEqual(sample);
  expect(sampleOf(all, 99, 7).sort()).toEqual([...all].sort());
});
