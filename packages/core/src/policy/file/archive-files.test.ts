import { unzipSync } from 'fflate';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { refusal } from '../../../test/policy-fixtures.js';
import { packArchive, unpackArchive } from './archive-files.js';

const name = fc
  .stringMatching(/^[a-zA-Zäß€ #&.-]{1,20}$/u)
  .filter((text) => !text.split('/').includes('..'))
  .map((text) => `schemas/${text}.json`);
const files = fc
  .uniqueArray(fc.tuple(name, fc.uint8Array({ maxLength: 5000 })), { selector: ([key]) => key, maxLength: 20 })
  .map((entries) => new Map(entries));

test('what is packed is unpacked again, here and by another program', () => {
  fc.assert(
    fc.property(files, (written) => {
      const bytes = packArchive(written);
      expect([...unpackArchive(bytes)].map(([key, value]) => [key, [...value]])).toEqual(
        [...written].map(([key, value]) => [key, [...value]]),
      );
      expect(Object.keys(unzipSync(bytes)).sort()).toEqual([...written.keys()].sort());
      expect(packArchive(written)).toEqual(bytes);
    }),
    { numRuns: 50 },
  );
});

test('a name that leads out of the archive is refused', () => {
  const packing = (key: string) => () => packArchive(new Map([[key, new Uint8Array()]]));
  for (const key of ['../x', '/x', 'a/../../x', 'c:x', ''])
    expect(refusal(packing(key), 'POLICY_FILE_INVALID')).toBeTruthy();
});

test('limits hold for what is written, too', () => {
  const packing = (): unknown => packArchive(new Map([['a', new Uint8Array(100)]]), { entryBytes: 99 });
  expect(refusal(packing, 'POLICY_FILE_TOO_LARGE')).toContain('limit of 99');
});
