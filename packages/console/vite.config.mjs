/** Builds the page: static files that work below any path. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const folder = (path) => fileURLToPath(new URL(path, import.meta.url));

const below = (parts) => new RegExp(parts.join('|').replaceAll('/', '[\\\\/]'));

/** What runs before the libraries are there, and needs none of them. */
const early = below(['console/app/(policies/early-list|api/settings|session/stored-people)\\.ts']);

/** The first screen, and what it shares with others. */
const base = below([
  'packages/(client/src|react/src/(provider|rows|hooks/use-(block|send)|page/views)|contract/src/(?!exact-numbers|schema-model|file-types))',
  `console/app/(${['main', 'api', 'live', 'policies', 'session', 'shell', 'texts', 'ui'].join('|')})`,
  `console/app/(${['policy/[^/]*$', 'trial/act', 'page/policy-context'].join('|')})`,
  'vite/preload-helper',
]);

/** What only authors of policies load. */
const ofAuthors = below([
  'console/app/(studio|schemas)/',
  'node_modules/(@codemirror|@lezer|@marijn|crelt|style-mod|w3c-keyname)/',
]);

/** Scripts with nothing but that are counted apart, by their names. */
const nameOf = ({ moduleIds }) =>
  moduleIds.length > 0 && moduleIds.every((id) => ofAuthors.test(id))
    ? 'assets/author-[name]-[hash].js'
    : 'assets/[name]-[hash].js';

/** Scripts run in the order of the page, each when it is there: the early part comes before the libraries. */
const earlyFirst = {
  name: 'early-first',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      const script = /^ *<script[^>]*\/early-[^>]*><\/script>\n/m;
      const [early] = script.exec(html) ?? [];
      if (early === undefined) throw new Error('The page has no script for what is asked early.');
      return html.replace(script, '').replace(/^ *<script/m, `${early}$&`);
    },
  },
};

export default defineConfig({
  root: folder('./app'),
  plugins: [earlyFirst],
  base: './',
  // From its sources: the page is bundled before the packages are built.
  resolve: {
    alias: {
      '@blockwork/client': folder('../client/src/index.ts'),
      '@blockwork/contract/exact-numbers': folder('../contract/src/exact-numbers.ts'),
      '@blockwork/contract/file-types': folder('../contract/src/file-types.ts'),
      '@blockwork/contract/schema-model': folder('../contract/src/schema-model.ts'),
      '@blockwork/contract/statuses': folder('../contract/src/statuses.ts'),
      '@blockwork/react/rows': folder('../react/src/rows.ts'),
      '@blockwork/react': folder('../react/src/index.ts'),
    },
  },
  build: {
    outDir: folder('./dist/app'),
    emptyOutDir: true,
    license: { fileName: 'licenses.md' },
    target: 'es2022',
    // The page allows no inline scripts, which the polyfill would be.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    // What the first screen needs comes in four files; each small file of its own would cost a request.
    rolldownOptions: {
      output: {
        chunkFileNames: nameOf,
        advancedChunks: {
          groups: [
            { name: 'early', test: early, priority: 1 },
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
