import fc from 'fast-check';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { refusal } from '../../../../test/policy-fixtures.js';
import { policyFileLimits } from '../limits/limits.js';
import { openZip } from './archive.js';
import { writeZip } from './write-zip.js';

const name = fc
  .string({ minLength: 1, unit: 'grapheme' })
  .map((text) => `f/${text.replaceAll(/[/\\:\0]|\.\.+/g, '_')}`);
const files = fc.uniqueArray(fc.record({ name, content: fc.uint8Array({ maxLength: 500 }) }), {
  selector: (file) => file.name,
});

test('what is written is read again, by this reader and by another one', () => {
  fc.assert(
    fc.property(files, (written) => {
      const bytes = writeZip(new Map(written.map((file) => [file.name, file.content])));
      const zip = openZip(bytes, policyFileLimits());
      expect(zip.names).toEqual(written.map((file) => file.name));
      const others = unzipSync(bytes);
      for (const file of written) {
        expect([...(zip.unpack(file.name) ?? [])]).toEqual([...file.content]);
        expect([...(others[file.name] ?? [])]).toEqual([...file.content]);
      }
    }),
  );
});

test('a large entry that would look like a bomb is stored as it is', () => {
  const content = new Uint8Array(1024 * 1024);
  const bytes = writeZip(new Map([['zeros', content]]));
  expect(bytes.byteLength).toBeGreaterThan(content.byteLength);
  expect(openZip(bytes, policyFileLimits()).unpack('zeros')).toHaveLength(content.byteLength);
});

test('more entries than the format can count are refused', () => {
  const many = new Map(Array.from({ length: 0xffff }, (_, at) => [String(at), new Uint8Array()]));
  expect(refusal(() => writeZip(many), 'POLICY_FILE_TOO_LARGE')).toContain('65535 entries');
});
