/** Builds the page: static files that work below any path. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const folder = (path) => fileURLToPath(new URL(path, import.meta.url));

/** What the first screen shares with others. */
const sharedParts = [
  ...[
    'api',
    'live',
    'session',
    'ui',
    'texts',
    'shell/hash-location',
    'policies/policies-query',
    'policies/status-mark',
  ],
  ...['policy/use-findings', 'trial/act', 'page/policy-context', 'page/blocks/titles'],
];
const base = new RegExp(
  `packages/(client/src|console/app/(${sharedParts.join('|')}))|vite/preload-helper`.replaceAll('/', '[\\\\/]'),
);

export default defineConfig({
  root: folder('./app'),
  base: './',
  // From its sources: the page is bundled before the packages are built.
  resolve: { alias: { '@blockwork/client': folder('../client/src/index.ts') } },
  build: {
    outDir: folder('./dist/app'),
    emptyOutDir: true,
    target: 'es2022',
    // The page allows no inline scripts, which the polyfill would be.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    // What the first screen needs comes in two files; each small file of its own would cost a request.
    rolldownOptions: {
      output: {
        advancedChunks: {
          groups: [
            {
              name: 'libraries',
              test: /node_modules[\\/](react|react-dom|scheduler|wouter|@tanstack|regexparam|use-sync-external-store)[\\/]/,
            },
            { name: 'base', test: base },
          ],
        },
      },
    },
  },
});
