/** What `npm run packages` finds in packages that are wrong; that ours are right is what it is run for. */
import { describe, expect, it } from 'vitest';
import { Checks, verdict } from '../../scripts/packages/checks.mjs';
import { firstProgram, withoutTypes } from '../../scripts/packages/consumer.mjs';
import { contentProblems } from '../../scripts/packages/contents.mjs';
import { staleBundle, staleOutputs } from '../../scripts/packages/outputs.mjs';
import { sourceMapProblems } from '../../scripts/packages/source-maps.mjs';
import { entryPoints, oldestNode } from '../../scripts/packages/workspace.mjs';

const manifest = {
  name: '@blockwork/sample',
  description: 'A sample.',
  keywords: ['sample'],
  license: 'Apache-2.0',
  author: 'Blockwork contributors',
  homepage: 'https://example.org',
  repository: { type: 'git', url: 'git+https://example.org/sample.git' },
  bugs: 'https://example.org/issues',
  engines: { node: '>=20.19' },
  sideEffects: false,
  exports: { '.': './dist/index.js', './kit': './dist/kit.js', './package.json': './package.json' },
};

const map = (sources: string[], contents?: (string | null)[]) => JSON.stringify({ sources, sourcesContent: contents });

const files = (changed: Record<string, string | undefined> = {}, fields: object = {}): Map<string, string> => {
  const texts: Record<string, string | undefined> = {
    'package.json': JSON.stringify({ ...manifest, ...fields }),
    'README.md': '',
    LICENSE: '',
    'dist/index.js': '//# sourceMappingURL=index.js.map',
    'dist/index.js.map': map(['../src/index.ts'], ['export {};']),
    'dist/index.d.ts': 'export {};',
    ...changed,
  };
  return new Map(Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== undefined));
};

describe('a package', () => {
  it('holds code, a manifest, a README and a licence', () => {
    expect(contentProblems(files())).toEqual([]);
  });

  it.each(['LICENSE', 'README.md'])('is refused without %s', (path) => {
    expect(contentProblems(files({ [path]: undefined }))).toEqual([`${path} is missing.`]);
  });

  it.each([
    'src/index.ts',
    'dist/index.test.js',
    'dist/test/kit.js',
    'dist/kit/module.js',
    'dist/.tsbuildinfo',
    'dist/index.d.ts.map',
    'bin/tool.js',
  ])('is refused with %s', (path) => {
    expect(contentProblems(files({ [path]: '' }))).toEqual([`${path} does not belong in the package.`]);
  });

  it('may hold the programs that its manifest names', () => {
    expect(contentProblems(files({ 'bin/tool.js': '' }, { bin: { tool: './bin/tool.js' } }))).toEqual([]);
  });

  it('may hold the pages that its bundled program shows', () => {
    expect(contentProblems(files({ 'dist/bundle/docs.json': '{}' }))).toEqual([]);
  });

  it('may hold the documentation that its server shows, and nothing else beside it', () => {
    const site = {
      'dist/site/index.html': '',
      'dist/site/docs/images/page.webp': '',
      'dist/site/playground/engine.js': '',
    };
    expect(contentProblems(files(site))).toEqual([]);
    expect(contentProblems(files({ 'dist/site/notes.txt': '' }))).toEqual([
      'dist/site/notes.txt does not belong in the package.',
    ]);
  });

  it('is refused without a file that its program names', () => {
    const text = "await import(new URL('../dist/bundle/tool.js', import.meta.url).href);";
    const program = { 'bin/tool.js': text };
    const bin = { bin: { tool: './bin/tool.js' } };
    const missing = ['bin/tool.js names dist/bundle/tool.js, which is missing.'];
    expect(contentProblems(files(program, bin))).toEqual(missing);
    const bundled = files({ ...program, 'dist/bundle/tool.js': '' }, bin);
    expect(contentProblems(bundled)).toEqual([]);
    expect(sourceMapProblems(bundled)).toEqual([]);
  });

  it('is refused without a repository in its manifest', () => {
    expect(contentProblems(files({}, { repository: undefined }))).toEqual(['package.json has no "repository".']);
  });

  it('is refused when it depends on a name that only the workspace resolves', () => {
    const problems = contentProblems(files({}, { dependencies: { zod: 'catalog:', koa: '3.3.0' } }));
    expect(problems).toEqual(['package.json asks for zod in "catalog:", which no registry knows.']);
  });

  it('is refused when it runs a script at installation', () => {
    const problems = contentProblems(files({}, { scripts: { postinstall: 'node setup.js' } }));
    expect(problems).toEqual(['package.json runs a script on "postinstall".']);
  });
});

describe('the source map of a package', () => {
  it('carries its sources, or leads to files of the package', () => {
    expect(sourceMapProblems(files())).toEqual([]);
    const shipped = files({ 'dist/index.js.map': map(['../src/index.ts']), 'src/index.ts': 'export {};' });
    expect(sourceMapProblems(shipped)).toEqual([]);
  });

  it.each([
    ['no contents', map(['../src/index.ts'])],
    ['empty contents', map(['../src/index.ts'], [null])],
  ])('is refused with %s and no such file', (_, text) => {
    expect(sourceMapProblems(files({ 'dist/index.js.map': text }))).toEqual([
      'dist/index.js.map refers to ../src/index.ts, which is neither in it nor in the package.',
    ]);
  });

  it('is named by all code, and exists', () => {
    for (const page of ['app', 'site'])
      expect(sourceMapProblems(files({ [`dist/${page}/page.js`]: 'run();' }))).toEqual([]);
    expect(sourceMapProblems(files({ 'dist/index.js': 'run();' }))).toEqual(['dist/index.js names no source map.']);
    expect(sourceMapProblems(files({ 'dist/index.d.ts': '//# sourceMappingURL=index.d.ts.map' }))).toEqual([
      'dist/index.d.ts.map is named as a source map, but not in the package.',
    ]);
  });
});

it('is needed for code of ours only', () => {
  const handedOn = "import { n as pack } from './pack-1.js';\n\nexport { pack };";
  expect(sourceMapProblems(files({ 'dist/files.js': handedOn, 'dist/rolldown-runtime-1.js': 'run();' }))).toEqual([]);
});

describe('what is tried', () => {
  it('is every entry point, and a pattern that would hide some is refused', () => {
    expect(entryPoints(manifest)).toEqual(['@blockwork/sample', '@blockwork/sample/kit']);
    expect(() => entryPoints({ name: 'sample', exports: { './*': './dist/*.js' } })).toThrow('name each subpath');
  });

  it('is the oldest Node that all packages name', () => {
    expect(oldestNode([manifest, manifest])).toBe('20.19.0');
    expect(() => oldestNode([manifest, { engines: { node: '>=22.1' } }])).toThrow('>=20.19, >=22.1');
  });

  it('is the first program of the README', () => {
    expect(firstProgram('# A\n```sh\nnpm start\n```\n```js\na();\n```\n```ts\nb();\n```\n')).toBe('a();\n');
  });

  it('is that program without its types', () => {
    const program = "import { a, type B } from 'c';\nawait a({} as B);\n";
    expect(withoutTypes(program)).toBe("import { a } from 'c';\nawait a({});\n");
  });

  it('is code whose source still exists, and what was bundled', () => {
    const outputs = [
      'app/assets/main.js',
      'app/index.html',
      '.app-build',
      'index.js',
      'index.d.ts',
      'index.js.map',
      'index.d.ts.map',
      'gone.js',
      '.tsbuildinfo',
      'bundle/program.js',
      'bundle/before.js',
      '.bundle-build',
    ];
    expect(staleOutputs(['index.ts'], outputs)).toEqual(['index.d.ts.map', 'gone.js']);
    expect(staleBundle('bundle', { files: ['program.js'] }, outputs)).toEqual(['bundle/before.js']);
    expect(staleBundle('app', { files: ['index.html'] }, outputs)).toEqual(['app/assets/main.js']);
  });
});

describe('the verdict', () => {
  const results = [
    { name: 'a', problems: ['broken'] },
    { name: 'b', problems: [] },
  ];

  it('counts a check that throws as one that failed', async () => {
    const checks = new Checks();
    await checks.check('a check', () => {
      throw new Error('no such file');
    });
    expect(checks.results).toEqual([{ name: 'a check', problems: [expect.stringContaining('no such file')] }]);
  });

  it('fails for what fails unexpectedly', () => {
    expect(verdict(results, {})).toMatchObject({ failed: [{ name: 'a' }], expected: [], outdated: [] });
  });

  it('accepts what is known to fail, and fails once it passes', () => {
    expect(verdict(results, { a: 'reason' })).toMatchObject({ failed: [], expected: [{ name: 'a' }], outdated: [] });
    expect(verdict(results, { a: 'reason', b: 'reason' }).outdated).toEqual(['b']);
  });
});
