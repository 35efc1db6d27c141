/** The generated pages are those that the code gives, and the schema of policy files fits real ones. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as blocks from '@blockwork/blocks';
import { commands } from '@blockwork/cli';
import { contract } from '@blockwork/contract';
import { methodErrors, unpackArchive } from '@blockwork/core';
import * as block from '@blockwork/core/block';
import { readPolicy } from '@blockwork/core/files';
import { Ajv } from 'ajv';
import { format, resolveConfig } from 'prettier';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { allBlockTypes, referencePages } from '../../scripts/reference/pages.mjs';
import { root } from '../../scripts/run.mjs';

interface Page {
  readonly file: string;
  readonly text: string;
}

const read = (file: string): Promise<string> => readFile(join(root, file), 'utf8');
const blockTypes = allBlockTypes(block, blocks) as { readonly type: string }[];
const policyEvent = contract.policyEvents.answers[200].schema;
const pages: Page[] = await referencePages(read, {
  commands,
  blockTypes,
  methodErrors,
  policyEvent,
  toJsonSchema: z.toJSONSchema,
  readPolicy,
});

it.each(pages)('$file is up to date (npm run reference)', async ({ file, text }) => {
  const path = join(root, file);
  expect(await read(file)).toBe(await format(text, { ...(await resolveConfig(path)), filepath: path }));
});

it('every block type has a page, and every page a block type', async () => {
  const names = (await readdir(join(root, 'docs', 'blocks'))).filter((name) => name !== 'README.md').sort();
  expect(names).toEqual(blockTypes.map(({ type }) => `${type}.md`).sort());
});

it('every option has a description', () => {
  const rows = pages
    .filter(({ file }) => file.startsWith('docs/blocks/'))
    .flatMap(({ file, text }) =>
      (text.split('## Options')[1]?.split('\n## ')[0] ?? '').split('\n').map((row) => `${file} ${row}`),
    );
  expect(rows.filter((row) => /\| +\|$/.test(row))).toEqual([]);
});

describe('the schema of policy files', () => {
  const schema = JSON.parse(pages.find(({ file }) => file === 'docs/policy.schema.json')?.text ?? '') as object;
  const validate = new Ajv({ allErrors: true, strict: false, validateFormats: false }).compile(schema);

  it('finds a wrong option at its place', () => {
    const steps = { blockType: 'switchBlock', tag: 's', executionFlow: 'allTrue', conditions: 7 };
    const config = { blockType: 'interfaceContainerBlock', tag: 'root', permissions: ['ANY_ROLE'], children: [steps] };
    expect(validate({ name: 'x', config })).toBe(false);
    expect(validate.errors).toContainEqual(expect.objectContaining({ instancePath: '/config/children/0/conditions' }));
    expect(validate({ name: 'x', config: { ...config, children: [{ ...steps, conditions: [] }] } })).toBe(true);
  });

  it('names what is not written, or not known, in the block alone', () => {
    const mint = { blockType: 'mintDocumentBlock', tag: 'mint', tokenId: '0.0.1', permision: ['OWNER'] };
    const config = { blockType: 'interfaceContainerBlock', tag: 'root', permissions: ['ANY_ROLE'], children: [mint] };
    expect(validate({ name: 'x', config })).toBe(false);
    const errors = (validate.errors ?? []).filter(({ keyword }) => keyword !== 'if');
    expect(errors.map(({ instancePath, params }) => [instancePath, params])).toEqual([
      ['/config/children/0', { missingProperty: 'rule' }],
      ['/config/children/0', { additionalProperty: 'permision' }],
    ]);
  });

  const folder = process.env['BLOCKWORK_REAL_POLICIES'];
  it.skipIf(folder === undefined)('fits the real policies (BLOCKWORK_REAL_POLICIES)', async () => {
    const files = (await readdir(folder ?? '')).filter((name) => name.endsWith('.policy'));
    for (const file of files) {
      const policy = unpackArchive(await readFile(join(folder ?? '', file))).get('policy.json') ?? new Uint8Array();
      validate(JSON.parse(new TextDecoder().decode(policy)));
      expect({ file, errors: (validate.errors ?? []).filter(({ keyword }) => keyword !== 'if') }).toEqual({
        file,
        errors: [],
      });
    }
  });
});
