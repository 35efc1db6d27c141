/** The schemas of forms of published policies. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { readPolicy } from '@blockwork/core';
import { describe, expect, it } from 'vitest';
import { publishedPolicies } from '../../../test/library/published.js';
import { formSchema } from '../app/page/form/form-schema.js';

/** Wherever they stand, in conditions as well. */
function referencesIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]): unknown[] =>
    key === '$ref' ? [member] : referencesIn(member),
  );
}

describe.skipIf(publishedPolicies.length === 0)('Every form of a published policy', () => {
  it('refers only to definitions that it has, without which it could not be drawn', async () => {
    let references = 0;
    for (const file of publishedPolicies) {
      const { schemas } = await readPolicy(new Uint8Array(await readFile(file)), { check: false });
      for (const { name, document } of schemas) {
        const schema = formSchema(document ?? {}, []);
        const known = Object.keys(schema.definitions ?? {}).map((key) => `#/definitions/${key}`);
        const found = referencesIn(schema);
        references += found.length;
        expect(
          found.filter((each) => !known.includes(String(each))),
          `${basename(file)}: ${name}`,
        ).toEqual([]);
      }
    }
    expect(references).toBeGreaterThan(100);
  });
});
