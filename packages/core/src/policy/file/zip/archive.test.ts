import { expect, test } from 'vitest';
import { archive, refusal } from '../../../../test/policy-fixtures.js';
import { defaultPolicyFileLimits, policyFileLimits } from '../limits/limits.js';
import { openZip } from './archive.js';

const MEGABYTE = 1024 * 1024;
const open = (bytes: Uint8Array, limits = {}) => openZip(bytes, policyFileLimits(limits));
const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

/** Offset of the nth record of the archive's table of contents. */
function directoryEntry(bytes: Uint8Array, nth = 0): number {
  let offset = -1;
  for (let at = 0; at < bytes.length - 4; at++) {
    if (bytes[at] === 0x50 && bytes[at + 1] === 0x4b && bytes[at + 2] === 1 && bytes[at + 3] === 2 && ++offset === nth)
      return at;
  }
  throw new Error('no such entry');
}

const patched = (
  bytes: Uint8Array<ArrayBuffer>,
  change: (view: DataView, entry: number) => void,
  nth = 0,
): Uint8Array => {
  change(new DataView(bytes.buffer), directoryEntry(bytes, nth));
  return bytes;
};

test('files are unpacked by name, stored or deflated, and folders are not listed', () => {
  const zip = open(
    archive({ 'schemas/': new Uint8Array(), 'schemas/#a&1.0.0.json': '{}', 'long.txt': 'x'.repeat(5000) }),
  );
  expect(zip.names).toEqual(['schemas/#a&1.0.0.json', 'long.txt']);
  expect(text(zip.unpack('schemas/#a&1.0.0.json'))).toBe('{}');
  expect(text(zip.unpack('long.txt'))).toBe('x'.repeat(5000));
  expect(zip.unpack('other.txt')).toBeUndefined();
});

test('folders that are separated by backslashes are read as any others', () => {
  const zip = open(archive({ 'schemas\\': new Uint8Array(), 'schemas\\#a.json': '{}', 'policy.json': '[]' }));
  expect(zip.names).toEqual(['schemas/#a.json', 'policy.json']);
  expect(text(zip.unpack('schemas/#a.json'))).toBe('{}');
  const twice = archive({ 'schemas\\a.json': '1', 'schemas/a.json': '2' });
  expect(refusal(() => open(twice), 'POLICY_FILE_INVALID')).toContain('two entries called "schemas/a.json"');
});

test('an archive inside a larger buffer, and one followed by other bytes, are read', () => {
  const bytes = archive({ 'a.json': '[1]' });
  const around = new Uint8Array(bytes.length + 200);
  around.set(bytes, 100);
  expect(text(open(around.subarray(100, 100 + bytes.length)).unpack('a.json'))).toBe('[1]');
  expect(text(open(around.subarray(100)).unpack('a.json'))).toBe('[1]');
});

test.each([
  ['nothing at all', new Uint8Array()],
  ['text', new TextEncoder().encode('{"this": "is no archive, however long it may go on about it"}')],
  ['an archive that is cut off', archive({ 'policy.json': 'x'.repeat(400) }).slice(0, -30)],
])('%s is no zip archive', (_, bytes) => {
  expect(refusal(() => open(bytes), 'POLICY_FILE_INVALID')).toContain('not a zip archive');
});

test.each([
  ['../policy.json', 'leads out of the archive'],
  ['schemas/../../etc/passwd', 'leads out of the archive'],
  ['/etc/passwd', 'absolute'],
  ['schemas\\..\\x.json', 'leads out of the archive'],
  ['..\\policy.json', 'leads out of the archive'],
  ['\\windows\\x.json', 'absolute'],
  ['\\\\server\\share\\x.json', 'absolute'],
  ['C:\\windows\\x.json', 'drive'],
  ['C:/windows/x.json', 'drive'],
  ['a\0b', 'NUL'],
])('the name %j is refused', (name, reason) => {
  const message = refusal(() => open(archive({ [name]: 'x' })), 'POLICY_FILE_INVALID');
  expect(message).toContain(reason);
  expect(message).toContain(JSON.stringify(name));
});

test('two entries of one name are refused, since programs differ in which of them they take', () => {
  const bytes = archive({ 'a.json': '1', 'b.json': '2' });
  patched(
    bytes,
    (view, entry) => {
      view.setUint8(entry + 46, 'a'.charCodeAt(0));
    },
    1,
  );
  expect(refusal(() => open(bytes), 'POLICY_FILE_INVALID')).toContain('two entries called "a.json"');
});

test('an encrypted entry is refused by name', () => {
  const bytes = patched(archive({ 'policy.json': '{}' }), (view, entry) => {
    view.setUint16(entry + 8, 1, true);
  });
  expect(refusal(() => open(bytes), 'POLICY_FILE_INVALID')).toContain('"policy.json" is encrypted');
});

test('a packing method other than stored and deflated is refused', () => {
  const bytes = patched(archive({ 'policy.json': '{}' }), (view, entry) => {
    view.setUint16(entry + 10, 14, true);
  });
  expect(refusal(() => open(bytes), 'POLICY_FILE_INVALID')).toContain('method 14');
});

test.each([
  ['bytes of the file', { fileBytes: 100 }, 'more than the limit of 100'],
  ['entries', { entries: 1 }, '2 entries, more than the limit of 1'],
  ['bytes of one entry', { entryBytes: 999 }, '"a.json" unpacks to 1000 bytes, more than the limit of 999'],
  ['bytes of all entries', { totalBytes: 1500 }, 'more than the limit of 1500'],
])('the limit on %s holds', (_, limits, reason) => {
  const bytes = archive({ 'a.json': 'x'.repeat(1000), 'b.json': 'y'.repeat(1000) });
  expect(refusal(() => open(bytes, limits), 'POLICY_FILE_TOO_LARGE')).toContain(reason);
});

test('a bomb is refused before anything of it is unpacked', () => {
  const bytes = archive({ 'policy.json': new Uint8Array(10 * MEGABYTE) });
  expect(bytes.length).toBeLessThan(100_000);
  const before = process.memoryUsage().arrayBuffers;
  expect(refusal(() => open(bytes), 'POLICY_FILE_TOO_LARGE')).toContain('beyond the limit of 1/200');
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(MEGABYTE);
});

test('a bomb that announces a harmless size is stopped at that size', () => {
  const bytes = patched(archive({ 'policy.json': new Uint8Array(20 * MEGABYTE) }), (view, entry) => {
    view.setUint32(entry + 24, 60_000, true);
  });
  const zip = open(bytes);
  const before = process.memoryUsage().arrayBuffers;
  const message = refusal(() => zip.unpack('policy.json'), 'POLICY_FILE_INVALID');
  expect(message).toContain('"policy.json" unpacks to more than the 60000 bytes');
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(MEGABYTE);
});

test('entries that share their packed bytes count one by one', () => {
  const bytes = archive({ 'a.json': 'x'.repeat(60_000), 'b.json': 'y'.repeat(60_000) });
  patched(
    bytes,
    (view, entry) => {
      view.setUint32(entry + 42, 0, true);
    },
    1,
  );
  expect(refusal(() => open(bytes, { totalBytes: 100_000 }), 'POLICY_FILE_TOO_LARGE')).toContain('100000');
});

test.each<[string, (view: DataView, entry: number) => void, string]>([
  [
    'announces more than there is',
    (view, entry) => {
      view.setUint32(entry + 24, 5001, true);
    },
    'announces 5001',
  ],
  [
    'has another checksum',
    (view, entry) => {
      view.setUint32(entry + 16, 1, true);
    },
    'damaged',
  ],
  [
    'begins where nothing is',
    (view, entry) => {
      view.setUint32(entry + 42, 7, true);
    },
    'no data',
  ],
  [
    'begins after the end',
    (view, entry) => {
      view.setUint32(entry + 42, 0x7fffffff, true);
    },
    'no data',
  ],
  [
    'is longer than the file',
    (view, entry) => {
      view.setUint32(entry + 20, 0x7fffffff, true);
    },
    'breaks off',
  ],
])('an entry that %s is refused', (_, change, reason) => {
  const bytes = patched(archive({ 'policy.json': 'x'.repeat(5000) }), change);
  const zip = open(bytes);
  expect(refusal(() => zip.unpack('policy.json'), 'POLICY_FILE_INVALID')).toContain(reason);
});

test('packed bytes that are no deflate stream are refused', () => {
  const bytes = archive({ 'policy.json': 'x'.repeat(5000) });
  bytes.fill(0xff, 30 + 'policy.json'.length, 30 + 'policy.json'.length + 10);
  expect(refusal(() => open(bytes).unpack('policy.json'), 'POLICY_FILE_INVALID')).toContain('cannot be unpacked');
});

test('a table of contents that promises more entries than it has is refused', () => {
  const bytes = archive({ 'policy.json': '{}' });
  new DataView(bytes.buffer).setUint16(bytes.length - 22 + 10, 7, true);
  expect(refusal(() => open(bytes), 'POLICY_FILE_INVALID')).toContain('breaks off at entry 2 of 7');
});

test('a zip64 archive is refused as such', () => {
  const bytes = archive({ 'policy.json': '{}' });
  new DataView(bytes.buffer).setUint16(bytes.length - 22 + 10, 0xffff, true);
  expect(refusal(() => open(bytes), 'POLICY_FILE_INVALID')).toContain('zip64');
});

test('limits must be numbers above 0, and nesting has a bound of its own', () => {
  expect(policyFileLimits()).toEqual(defaultPolicyFileLimits);
  expect(refusal(() => policyFileLimits({ entries: 0 }), 'OPTION_INVALID')).toContain('policyFileLimits.entries');
  expect(refusal(() => policyFileLimits({ ratio: NaN }), 'OPTION_INVALID')).toContain('policyFileLimits.ratio');
  expect(refusal(() => policyFileLimits({ nesting: 5000 }), 'OPTION_INVALID')).toContain('at most 1000');
});
