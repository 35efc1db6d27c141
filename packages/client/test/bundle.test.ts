/** What a front end carries of the client. */
import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';

it('the client is below 6 kB, compressed, and imports at run time only the table of statuses', async () => {
  const input = fileURLToPath(new URL('../src/index.ts', import.meta.url));
  const bundle = await rolldown({ input, platform: 'browser', external: /^[^./]/ });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  const [chunk] = output;
  expect(output).toHaveLength(1);
  expect(chunk.imports).toEqual(['@blockwork/contract/statuses']);
  expect(gzipSync(chunk.code).length).toBeLessThan(6000);
});
