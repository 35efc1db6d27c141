import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.js';

const packages = fileURLToPath(new URL('./packages', import.meta.url));

/** Threads cannot load TypeScript: tests run the bundles that `scripts/vitest/workers.mjs` makes of the sources. */
const threadPrograms = {
  name: 'thread-programs',
  load: (id: string) =>
    id.endsWith('/blocks/src/threads/programs.ts')
      ? `const bundle = (name) => new URL('../../node_modules/.cache/' + name + '-worker.mjs', import.meta.url);
         export const programs = { formula: bundle('formula'), script: bundle('script') };`
      : null,
};

/** Tests run on the sources of every package, so that a change is seen without a build. */
export default defineConfig({
  plugins: [threadPrograms],
  resolve: {
    alias: [
      {
        find: /^@blockwork\/([a-z-]+)\/(adapter|block|conformance|edit-operations|exact-numbers|file-types|files|nodes|producer|records|rows|schema-context|schema-model|statuses)$/,
        replacement: `${packages}/$1/src/$2.ts`,
      },
      {
        find: /^@blockwork\/(blocks|cli|client|console|contract|core|explorer|http|http-fetch|http-koa|ledger-hedera|linked-data|link-nats|otel|react|sandbox|spreadsheet|store-lowdb|store-postgres|testing|verify)$/,
        replacement: `${packages}/$1/src/index.ts`,
      },
      { find: /^create-blockwork$/, replacement: `${packages}/create-blockwork/src/index.ts` },
    ],
  },
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'packages/*/test/**/*.test.ts',
      'examples/*/**/*.test.ts',
      'test/**/*.test.ts',
    ],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: ['scripts/vitest/workers.mjs', 'scripts/vitest/console.mjs', 'test/support/left-behind.ts'],
    setupFiles: ['setup', ...(process.env['BLOCKWORK_TEST_COSTS'] ? ['processor-costs'] : [])].map((name) =>
      fileURLToPath(new URL(`./test/support/${name}.ts`, import.meta.url)),
    ),
    // Two thirds of the time went into loading the same modules for each file; nothing here keeps state in a module.
    isolate: false,
    // Transformed modules are kept below `node_modules` from one run to the next, by what is in them.
    experimental: { fsModuleCache: true },
    // For what never ends. Nothing that ends comes near, however busy the machine is.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    // Each worker loads the sources once more. Those of databases, browsers and processes wait half of the time, and more of them keep two
    // processors busy.
    maxWorkers: Math.max(process.env['BLOCKWORK_TESTS'] === undefined ? 3 : 5, availableParallelism()),
    sequence: { sequencer: LongestFirst },
  },
});
