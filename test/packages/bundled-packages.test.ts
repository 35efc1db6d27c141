/** What becomes of a package when it is bundled: its manifest, its files, and the names in its code. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { writeCode } from '../../scripts/packages/bundled/code.mjs';
import { writeDeclarations } from '../../scripts/packages/bundled/declarations.mjs';
import { bundledManifest } from '../../scripts/packages/bundled/dependencies.mjs';
import { isOutside } from '../../scripts/packages/bundled/libraries.mjs';
import { manifestOf } from '../../scripts/packages/workspace.mjs';
import { root } from '../../scripts/run.mjs';
import { temporaryFolders } from '../support/folders.js';

const newFolder = temporaryFolders();

const chunk = (fields: object) => ({ fileName: 'index.js', imports: [], dynamicImports: [], code: '', ...fields });

describe('the manifest of a bundled package', () => {
  const manifest = {
    name: '@blockwork/sample',
    dependencies: { zod: '4.0.0', koa: '3.0.0', '@types/koa': '3.0.0', ajv: '8.0.0', piscina: '5.0.0' },
    peerDependencies: { vitest: '>=4' },
  };

  it('names what the code still imports, at its start or on demand', () => {
    const code = "const koa = createRequire(import.meta.url)('koa');";
    const chunks = [chunk({ imports: ['node:fs', 'vitest', 'shared.js'], dynamicImports: ['piscina'], code })];
    const { dependencies } = bundledManifest(manifest, [...chunks, chunk({ fileName: 'shared.js' })]);
    expect(dependencies).toEqual({ koa: '3.0.0', '@types/koa': '3.0.0', piscina: '5.0.0' });
  });

  it('names what the declarations name types of', () => {
    const code = 'import { z } from "zod";\nexport type App = import("koa").Context;';
    const { dependencies } = bundledManifest(manifest, [chunk({ fileName: 'index.d.ts', imports: ['ajv'], code })]);
    expect(dependencies).toEqual({ zod: '4.0.0', koa: '3.0.0', '@types/koa': '3.0.0' });
  });

  it('is refused when the code imports what it does not name', () => {
    const chunks = [chunk({ imports: ['ws', '@scope/library/part'] })];
    expect(() => void bundledManifest(manifest, chunks)).toThrow(
      '@blockwork/sample: its bundle imports what it does not depend on: ws, @scope/library.',
    );
  });
});

describe('the code of a bundled package', () => {
  const sources = {
    'index.ts': "export { Failure } from './failure.js';\nexport { wrapped } from './wrapped.js';\n",
    'kit.ts': "export { wrapped } from './wrapped.js';\n",
    'failure.ts': 'export class Failure extends Error {}\n',
    'wrapped.ts':
      'class Failure extends Error {\n  constructor(readonly text: string) {\n    super(text);\n  }\n}\n' +
      "export const wrapped = (): string => new Failure('').constructor.name;\n",
  };
  const bundled = async () => {
    const folder = await newFolder();
    await mkdir(join(folder, 'src'));
    for (const [name, text] of Object.entries(sources)) await writeFile(join(folder, 'src', name), text);
    const manifest = { name: '@blockwork/sample', exports: { '.': '', './kit': '', './package.json': '' } };
    await writeCode({ folder, manifest }, join(folder, 'dist'));
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    return join(folder, 'dist');
  };

  it('of linked data imports nothing of Node.js, so that pages load it as well', async () => {
    const folder = join(root, 'packages', 'linked-data');
    const manifest = await manifestOf(folder);
    const chunks = await writeCode({ folder, manifest }, await newFolder());
    const imported = chunks.flatMap((each) => (each.type === 'chunk' ? [...each.imports, ...each.dynamicImports] : []));
    const own = new Set(chunks.map(({ fileName }) => fileName));
    expect(imported.filter((name) => !own.has(name))).toEqual(['@digitalbazaar/credentials-context']);
  });

  it('is a module for each entry point, and what they share once', async () => {
    const dist = await bundled();
    const names = (await readdir(dist)).filter((name) => name.endsWith('.js'));
    expect(names).toEqual(expect.arrayContaining(['index.js', 'kit.js']));
    const texts = await Promise.all(names.map((name) => readFile(join(dist, name), 'utf8')));
    expect(texts.filter((text) => text.includes('constructor.name'))).toHaveLength(1);
  });

  it('keeps the name of a class beside another of the same name', async () => {
    const { Failure, wrapped } = (await import(pathToFileURL(join(await bundled(), 'index.js')).href)) as {
      Failure: { name: string };
      wrapped: () => string;
    };
    expect([Failure.name, wrapped()]).toEqual(['Failure', 'Failure']);
  });
});

it('the declarations of a bundled package hold what they take from the tables of the contract', async () => {
  const folder = await newFolder();
  const contract = join(folder, 'node_modules', '@blockwork', 'contract');
  await mkdir(contract, { recursive: true });
  const exported = { './statuses': { types: './statuses.d.ts' } };
  await writeFile(join(contract, 'package.json'), JSON.stringify({ name: '@blockwork/contract', exports: exported }));
  await writeFile(join(contract, 'statuses.d.ts'), "export type Status = 'DRAFT';\n");
  await mkdir(join(folder, 'dist'));
  const source = `import type { Status } from '@blockwork/contract/statuses';
import type { Engine } from '@blockwork/core';
export declare const statusOf: (engine: Engine) => Status;
`;
  await writeFile(join(folder, 'dist', 'index.d.ts'), source);
  await writeDeclarations({ folder, manifest: { exports: { '.': '' } } }, join(folder, 'bundled'));
  const written = await readFile(join(folder, 'bundled', 'index.d.ts'), 'utf8');
  expect(written).toContain("type Status = 'DRAFT'");
  expect(written).toContain('"@blockwork/core"');
  expect(written).not.toMatch(/from ["']@blockwork\/contract/);
});

it.each([
  ['@blockwork/contract', true],
  ['@blockwork/contract/statuses', false],
  ['@blockwork/core', true],
  ['node:fs', true],
  ['koa', true],
  ['quickjs-emscripten-core', true],
  ['zod', false],
  ['zod/v4', false],
  ['./module.js', false],
])('%s stays outside of a bundle: %s', (name, expected) => {
  expect(isOutside(name)).toBe(expected);
});
