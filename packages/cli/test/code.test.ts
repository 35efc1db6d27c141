/** Policies as code: ejected, run, packed, and accepted by every command. */
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writtenAsJson } from '@blockwork/core/files';
import { projectFiles } from 'create-blockwork';
import { describe, expect, it } from 'vitest';
import { temporaryFolders } from '../../../test/support/folders.js';
import { literal } from '../src/code/literal.js';
import { policyCode } from '../src/code/policy-code.js';
import { policyFromCode } from '../src/code/run-code.js';
import { run, runJson } from './support/run.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const newFolder = temporaryFolders();

/** A project with the packages of this workspace. */
async function newProject(): Promise<string> {
  const folder = await newFolder();
  await symlink(join(root, 'packages/cli/node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** The policy of a new project. */
async function templatePolicy(): Promise<object> {
  const text = (await projectFiles('one', 'form-approve-mint')).get('one.policy.json') ?? '';
  return JSON.parse(text) as object;
}

const real = process.env['BLOCKWORK_REAL_POLICIES'];
const archives =
  real === undefined
    ? []
    : (await readdir(real)).filter((name) => name.endsWith('.policy')).map((name) => join(real, name));
const examples = [
  'examples/embed/meter-readings.policy.json',
  'examples/serve/policies/energy-certificates.policy.json',
  'examples/test-a-policy/sunlight.policy.json',
].map((path) => join(root, path));

describe('eject', () => {
  it.each([...archives, ...examples])('%s: its code gives an equal policy', async (path) => {
    const code = join(await newProject(), 'policy.mjs');
    await writeFile(code, (await run(['eject', path])).out);
    const bytes = await readFile(path);
    expect(writtenAsJson(await policyFromCode(code))).toEqual(writtenAsJson(bytes));
  });

  it('packs code into an archive that is equal, with the files of the first', async () => {
    const [path] = archives.filter((name) => name.includes('irec-6'));
    if (path === undefined) return;
    const folder = await newProject();
    const code = join(folder, 'policy.mjs');
    await writeFile(code, (await run(['eject', path])).out);
    expect(await runJson(['pack', code])).toMatchObject({ file: join(folder, 'policy.policy') });
    const packed = writtenAsJson(await readFile(join(folder, 'policy.policy')));
    expect(packed).toEqual(writtenAsJson(await readFile(path)));
    expect([...packed.files.keys()]).toContain('artifacts/metadata.json');
  });

  it('is accepted where a policy is', async () => {
    const folder = await newProject();
    const source = join(folder, 'one.policy.json');
    await writeFile(source, JSON.stringify(await templatePolicy()));
    const code = join(folder, 'one.mjs');
    await writeFile(code, (await run(['eject', source])).out);
    expect(await run(['validate', '--strict', code])).toMatchObject({ code: 0, err: '' });
    expect((await run(['graph', code])).out).toBe((await run(['graph', source])).out);
    expect((await run(['diff', source, code])).code).toBe(0);
  });

  it('says why code is no policy', async () => {
    const folder = await newProject();
    const cases = {
      'none.mjs': ['export const policy = {};', 'no default export'],
      'throws.mjs': ['throw new Error("no meter");', 'cannot be run: no meter'],
      'files.mjs': ['export default { name: "A" }; export const files = { a: 1 };', 'files["a"] is neither'],
    };
    for (const [name, [text = '', reason = '']] of Object.entries(cases)) {
      await writeFile(join(folder, name), text);
      expect(await run(['validate', join(folder, name)])).toMatchObject({
        code: 3,
        err: expect.stringContaining(reason),
      });
    }
  });
});

describe('the code', () => {
  it('names schemas once, and marks a policy that the compiler would refuse', async () => {
    const { policy, files } = writtenAsJson(await templatePolicy());
    const code = policyCode({ policy, files }, true);
    expect(code).toContain("const report = defineSchema({\n  iri: '#5a1e0000-0000-4000-8000-000000000001',");
    expect(code).toContain('schema: report.iri');
    expect(code).not.toContain('@ts-nocheck');
    expect(policyCode({ policy, files }, false)).toContain('// @ts-nocheck');
  });

  it('holds any JSON', () => {
    const value = {
      script: 'const a = `${b}\\n`;\nreturn "x";',
      "it's": 'it\'s "so"\t\u2028',
      __proto__: 1,
      list: [1, null, true, [], {}],
      'a-b': { blockType: 'x', children: [{ blockType: 'y' }] },
    };
    Object.defineProperty(value, '__proto__', { value: { polluted: 1 }, enumerable: true });
    // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- the literal is JavaScript
    const read: unknown = new Function(`return ${literal(value)}`)();
    expect(JSON.stringify(read)).toBe(JSON.stringify(value));
  });
});
