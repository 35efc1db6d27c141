/** Builds the page: static files that work below any path. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const folder = (path) => fileURLToPath(new URL(path, import.meta.url));

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
  },
});
