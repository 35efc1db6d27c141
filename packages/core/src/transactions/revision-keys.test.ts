import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Executor } from './executor.js';
import { isPolicyKey, lanes, revisionKeys, type Lane, type RevisionKey } from './revision-keys.js';
import type { UnitOfWork } from './unit-of-work.js';

const sources = fileURLToPath(new URL('..', import.meta.url));

async function sourceTexts(): Promise<string[]> {
  const files = (await readdir(sources, { recursive: true })).filter((file) => /(?<!\.test)\.ts$/.test(file));
  const others = files.filter((file) => !file.endsWith('revision-keys.ts'));
  return Promise.all(others.map((file) => readFile(join(sources, file), 'utf8')));
}

describe('the table of revision keys and lanes', () => {
  it('fills the placeholders of a pattern in their order, whatever the parts look like', () => {
    expect(revisionKeys.policies.of()).toBe('policies');
    expect(revisionKeys.policy.of('a/b')).toBe('a/b');
    expect(revisionKeys.definition.of('p')).toBe('definition/p');
    expect(lanes.conversation.of('<instance>', '$& <x>')).toBe('conversation/<instance>/$& <x>');
  });

  it('tells the keys of policies from all others, whatever these are filled with', () => {
    const part = fc.string({ unit: fc.constantFrom('a', '/', '\n', ' ', '<') });
    fc.assert(
      fc.property(part, part, (one, other) => {
        for (const [name, row] of Object.entries(revisionKeys)) {
          if (row !== revisionKeys.policy) {
            const key = row.of(one, other);
            expect([name, isPolicyKey(key)]).toEqual([name, false]);
          }
        }
      }),
    );
    expect(isPolicyKey(revisionKeys.policy.of('6f1e'))).toBe(true);
  });

  it('has a fixed number of keys for what comes and goes without end', () => {
    const ids = Array.from({ length: 50_000 }, (_, at) => `1767225600.${String(at).padStart(9, '0')}`);
    const requests = new Set<string>(ids.map((id) => revisionKeys.request.of(id)));
    const conversations = new Set<string>(ids.map((id) => revisionKeys.conversation.of(id, 'north')));
    expect([requests.size, conversations.size]).toEqual([4096, 4096]);
    for (const key of requests) expect(key).toMatch(/^request\/\d{1,4}$/);
    expect(revisionKeys.request.of('1.2')).toBe(revisionKeys.request.of('1.2'));
    expect(revisionKeys.conversation.of('a', 'bc')).not.toBe(revisionKeys.conversation.of('ab', 'c'));
  });

  it.each([
    ['lanes', lanes],
    ['revisionKeys', revisionKeys],
  ] as const)('has no row of %s that nothing uses', async (name, table) => {
    const text = (await sourceTexts()).join('\n');
    for (const row of Object.keys(table)) expect(text).toContain(`${name}.${row}.of(`);
  });

  it('has rows that differ in their first word, so that no lane is taken for another', () => {
    const words = Object.values(lanes).map(({ pattern }) => pattern.split('/')[0]);
    expect(new Set(words).size).toBe(words.length);
  });

  it('is the only place that makes keys', async () => {
    for (const text of await sourceTexts()) expect(text).not.toMatch(/\bas (unknown as )?(Lane|RevisionKey)\b/);
  });

  it('gives types that no other text has', () => {
    expectTypeOf<string>().not.toExtend<Lane>();
    expectTypeOf<string>().not.toExtend<RevisionKey>();
    expectTypeOf<Lane>().not.toExtend<RevisionKey>();
    expectTypeOf<RevisionKey>().not.toExtend<Lane>();
    expectTypeOf<Parameters<Executor['run']>[0]>().toEqualTypeOf<Lane>();
    expectTypeOf<Parameters<Executor['run']>[1]>().toEqualTypeOf<readonly RevisionKey[]>();
    expectTypeOf<Parameters<Executor['runTask']>[0]>().toEqualTypeOf<Lane>();
    expectTypeOf<Parameters<UnitOfWork['expected']>[0]>().toEqualTypeOf<RevisionKey>();
    expectTypeOf<Parameters<typeof lanes.conversation.of>>().toEqualTypeOf<[part: string, part: string]>();
    expectTypeOf<Parameters<typeof revisionKeys.policies.of>>().toEqualTypeOf<[]>();
  });
});
