import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const names = ['core', 'blocks', 'store-lowdb', 'http-koa', 'link-nats', 'testing'] as const;
const minutes = 60_000;

/** The first program of a page. */
const programIn = (page: string): string => /```(?:js|ts)\n([\s\S]*?)```/.exec(page)?.[1] ?? '';

/** What a user of the packages has: a folder with nothing but what npm put there. */
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockwork-packed-'));
  await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-b'], { cwd: root });
  const pnpm = join(root, 'scripts/pnpm.mjs');
  for (const name of names) {
    await run(process.execPath, [pnpm, 'pack', '--pack-destination', folder], { cwd: join(root, 'packages', name) });
  }
  const tarballs = (await readdir(folder)).filter((file) => file.endsWith('.tgz'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'stranger', private: true, type: 'module' }));
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...tarballs.map((file) => `./${file}`)], {
    cwd: folder,
  });
}, 5 * minutes);

afterAll(() => rm(folder, { recursive: true, force: true }));

const program = async (file: string, text: string): Promise<string> => {
  await writeFile(join(folder, file), text);
  const { stdout } = await run(process.execPath, [file], { cwd: folder });
  return stdout;
};

describe('the packages, packed and installed with npm into an empty folder', () => {
  it.each(names)('@blockwork/%s is imported, and brings no test or source along', async (name) => {
    const printed = await program(
      `import-${name}.mjs`,
      `console.log(Object.keys(await import('@blockwork/${name}')).join());`,
    );
    expect(printed.trim().length).toBeGreaterThan(10);
    const files = await readdir(join(folder, 'node_modules/@blockwork', name), { recursive: true });
    expect(files).toContain('README.md');
    expect(files.filter((file) => /\.test\.|^src|tsbuildinfo/.test(file))).toEqual([]);
  });

  it('run the program at the top of the README', async () => {
    const readme = await readFile(join(root, 'README.md'), 'utf8');
    expect(await program('readme.mjs', programIn(readme))).toContain('megawattHours: 42');
  });

  it(
    'bring types that a strict program compiles against',
    async () => {
      const text = `
      import { createEngine, type Block, type Caller, type PolicyRecord } from '@blockwork/core';
      import { createPolicyServer, signDevelopmentToken } from '@blockwork/http-koa';
      import { openLowdbStore } from '@blockwork/store-lowdb';
      import { standardBlocks } from '@blockwork/blocks';
      import { blockBench, documents, gridWith, policyBench } from '@blockwork/testing';
      import { PaginationAddon } from '@blockwork/core';
      const caller: Caller = { did: 'did:example:me', role: 'USER' };
      export const list = async (): Promise<PolicyRecord[]> => (await createEngine({ store: await openLowdbStore({ folder: 'x' }) }).listPolicies(caller)).items;
      export const server = createPolicyServer(createEngine(), { auth: { secret: new Uint8Array(32) } });
      export const token: string = signDevelopmentToken(new Uint8Array(32), caller);
      export const bench = blockBench(PaginationAddon, { parent: gridWith(documents(3)) });
      export const working = () => createEngine({ blocks: standardBlocks() });
      export const trial = policyBench({}).as('alice').read('grid');
      export const about = (block: Block): string => block.about.type;
      // @ts-expect-error a caller without an identity is none
      const nobody: Caller = { role: 'USER' };
      void nobody;
    `;
      await writeFile(join(folder, 'types.ts'), text);
      const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', 'types.ts'];
      await expect(
        run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...options], { cwd: folder }),
      ).resolves.toMatchObject({ stdout: '' });
    },
    2 * minutes,
  );

  it(
    'leave a process free to end once the engine, the store and the server are closed',
    async () => {
      const text = `
      import { createEngine } from '@blockwork/core';
      import { createPolicyServer } from '@blockwork/http-koa';
      import { openLowdbStore } from '@blockwork/store-lowdb';
      const engine = createEngine({ store: await openLowdbStore({ folder: './data' }) });
      const server = createPolicyServer(engine, { auth: { secret: new Uint8Array(32) } });
      const { url } = await server.listen({ port: 0 });
      console.log((await fetch(url + '/healthz')).status);
      await server.close();
      await engine.close();
    `;
      expect((await program('ends.mjs', text)).trim()).toBe('200');
    },
    minutes,
  );
});
