/** Mistakes of policy authors: editors and `blockwork validate` notice them, say where they are, and what to write. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { standardBlocks } from '@blockwork/blocks';
import { isBlockworkError, unpackArchive } from '@blockwork/core';
import { readPolicy } from '@blockwork/core/files';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { root } from '../../scripts/run.mjs';
import { publishedPolicies } from '../library/published.js';
import { mistakesInBlocks } from './in-blocks.js';
import { mistakesInNames } from './in-names.js';
import { mistakesInOptions } from './in-options.js';
import { mistakesInPolicies } from './in-policies.js';
import { notYetFound, notYetInEditors } from './not-yet.js';
import { soundPolicy, type Policy } from './sound-policy.js';

const mistakes = [...mistakesInBlocks, ...mistakesInOptions, ...mistakesInPolicies];

const editorSchema = JSON.parse(readFileSync(join(root, 'docs', 'policy.schema.json'), 'utf8')) as object;
const fits = new Ajv({ allErrors: true, strict: false, validateFormats: false }).compile(editorSchema);
const places = (policy: unknown): string[] =>
  fits(policy) ? [] : (fits.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`);

/** What `blockwork validate` says of a file. */
async function messages(policy: Policy): Promise<string[]> {
  try {
    const { findings } = await readPolicy(new TextEncoder().encode(JSON.stringify(policy)), {
      blocks: standardBlocks(),
    });
    return findings.map(({ message, path }) => `${path} ${message}`);
  } catch (error) {
    if (!isBlockworkError(error)) throw error;
    return [error.message];
  }
}

const withMistake = ({ make }: (typeof mistakes)[number]): Policy => {
  const policy = soundPolicy();
  make(policy);
  return policy;
};

it('the policy that they are made in has none', async () => {
  expect([places(soundPolicy()), await messages(soundPolicy())]).toEqual([[], []]);
});

it('each has a name of its own', () => {
  expect(new Set(mistakes.map(({ name }) => name)).size).toBe(mistakes.length);
});

describe('blockwork validate says what is wrong, where, and what to write', () => {
  const noticed = mistakes.filter(({ name }) => !notYetFound.includes(name));
  it.each([...noticed, ...mistakesInNames])('$name', async (mistake) => {
    const problems = await messages(withMistake(mistake));
    const complete = problems.filter((message) => mistake.says.every((part) => message.includes(part)));
    expect({ said: problems, parts: mistake.says, complete: complete.length > 0 }).toMatchObject({ complete: true });
  });

  it('of nearly all', () => {
    expect(notYetFound.filter((name) => !mistakes.some((each) => each.name === name))).toEqual([]);
    expect(noticed.length / mistakes.length).toBeGreaterThanOrEqual(0.95);
  });
});

describe('editors notice', () => {
  const noticed = mistakes.filter(({ name }) => !notYetInEditors.includes(name));
  it.each(noticed)('$name', (mistake) => {
    expect(places(withMistake(mistake))).not.toEqual([]);
  });

  it('what a schema can tell', () => {
    expect(notYetInEditors.filter((name) => !mistakes.some((each) => each.name === name))).toEqual([]);
    expect(noticed.length / mistakes.length).toBeGreaterThanOrEqual(0.7);
  });
});

describe('editors notice nothing in a published policy', () => {
  const policies = publishedPolicies.map((path) => ({ path, name: basename(path) }));
  if (policies.length === 0) it.skip('(skipped: no variable names a folder of policies)', () => undefined);
  it.each(policies)('$name', ({ path }) => {
    const bytes = unpackArchive(readFileSync(path)).get('policy.json');
    expect(places(JSON.parse(new TextDecoder().decode(bytes)))).toEqual([]);
  });
});
