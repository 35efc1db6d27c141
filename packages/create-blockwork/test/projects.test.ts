/** What `npm create blockwork` makes, and what it refuses. */
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createProject, projectFiles, templates, type TemplateName } from 'create-blockwork';
import { describe, expect, it } from 'vitest';
import { temporaryFolders } from '../../../test/support/folders.js';

const newFolder = temporaryFolders();
const names = Object.keys(templates) as TemplateName[];
const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');

interface Manifest {
  readonly name: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

async function project(template: TemplateName) {
  const files = await projectFiles('parks', template);
  return { files, manifest: JSON.parse(files.get('package.json') ?? '') as Manifest };
}

describe.each(names)('the template %s', (template) => {
  it('has a README, a Dockerfile, and a test to run', async () => {
    const { files, manifest } = await project(template);
    const usual = ['.dockerignore', '.gitignore', 'Dockerfile', 'README.md', 'package.json'];
    expect([...files.keys()]).toEqual(expect.arrayContaining(usual));
    expect(manifest).toMatchObject({ name: 'parks', scripts: { test: expect.any(String), start: expect.any(String) } });
  });

  it('leaves nothing to be filled in', async () => {
    const { files } = await project(template);
    for (const [path, text] of files) {
      expect(path).not.toMatch(/[{}]/);
      expect(text, path).not.toMatch(/\{\{\w+\}\}/);
    }
  });

  it('starts in a container what "npm start" does, and names files that it has', async () => {
    const { files, manifest } = await project(template);
    const [, command = ''] = /^CMD (\[.*\])$/m.exec(files.get('Dockerfile') ?? '') ?? [];
    const [program = '', ...args] = JSON.parse(command) as string[];
    const [, ...started] = manifest.scripts['start']?.split(' ') ?? [];
    if (program.startsWith('node_modules/')) expect(args).toEqual(started);
    else expect([program, ...args]).toEqual(started);
    expect(program === 'node_modules/@blockwork/cli/bin/blockwork.js' || files.has(program)).toBe(true);
    for (const [, file = ''] of (files.get('README.md') ?? '').matchAll(/^- `([^`]+)`/gm)) {
      expect([...files.keys()]).toContain(file);
    }
  });

  it('is in the table of the README', () => {
    expect(readme).toMatch(new RegExp(`^\\| \`${template}\` +\\| ${templates[template].title} +\\|$`, 'm'));
  });
});

it('depends on the versions of this workspace', async () => {
  const catalog = await readFile(new URL('../../../pnpm-workspace.yaml', import.meta.url), 'utf8');
  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as Manifest & {
    version: string;
  };
  for (const template of names) {
    const { dependencies, devDependencies } = (await project(template)).manifest;
    for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies })) {
      if (name.startsWith('@blockwork/')) expect(range).toBe(`^${version}`);
      else expect(catalog, name).toMatch(new RegExp(`^ {2}'?${name}'?: \\S+$`, 'm'));
    }
  }
});

describe('the program', () => {
  it('makes a project in a new folder, which names it', async () => {
    const folder = join(await newFolder(), 'deep', 'parks');
    const { code, text } = await createProject([folder, '--template', 'koa']);
    expect({ code, text }).toMatchObject({ code: 0, text: expect.stringContaining(`Next: cd ${folder}`) });
    expect(await readdir(folder)).toEqual(expect.arrayContaining(['.gitignore', 'app.mjs', 'main.mjs']));
    expect(await readFile(join(folder, 'package.json'), 'utf8')).toContain('"name": "parks"');
  });

  it('lists the templates when it is asked for none, or for one that there is not', async () => {
    for (const argv of [[], ['--help'], ['a', 'b'], ['--colour'], ['parks', '--template', 'toString']]) {
      const { code, text } = await createProject(argv);
      expect(code).toBe(2);
      for (const name of names) expect(text).toContain(name);
    }
  });

  it('writes nothing over, and refuses names that npm refuses', async () => {
    const folder = join(await newFolder(), 'parks');
    await mkdir(folder);
    await writeFile(join(folder, 'mine.txt'), 'mine');
    expect(await createProject([folder])).toMatchObject({ code: 1, text: expect.stringContaining('mine.txt') });
    expect(await readdir(folder)).toEqual(['mine.txt']);
    const other = join(folder, 'A B');
    expect(await createProject([other])).toMatchObject({ code: 2, text: expect.stringContaining('"A B"') });
    await expect(stat(other)).rejects.toThrow('ENOENT');
  });

  it('says which path cannot be written', async () => {
    const file = join(await newFolder(), 'file');
    await writeFile(file, '');
    const { code, text } = await createProject([join(file, 'parks')]);
    expect({ code, text }).toEqual({ code: 1, text: expect.stringMatching(/parks cannot be written \(ENOTDIR\)/) });
  });
});
