/** What TypeScript says about programs that a test has written. */
import { fileURLToPath } from 'node:url';
import { diagnosticsOf } from './diagnostics.js';

const compilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  module: 'NodeNext',
  target: 'ES2023',
  // The packages from their sources, which need no build.
  paths: { '@blockwork/*': [fileURLToPath(new URL('../../packages/*/src/index.ts', import.meta.url))] },
};

/**
 * What TypeScript says about each of these programs, which may import packages as a file beside `place` may, such as the
 * `import.meta.url` of a test. `beside` are further files there, by name.
 */
export function problemsOf(
  programs: readonly string[],
  place: string,
  beside: Readonly<Record<string, string>> = {},
): string[][] {
  const path = (name: string): string => fileURLToPath(new URL(name, place));
  const files = new Map([
    ...programs.map((text, at) => [path(`written-program-${at}.ts`), text] as const),
    ...Object.entries(beside).map(([name, text]) => [path(name), text] as const),
  ]);
  return diagnosticsOf(files, { compilerOptions }).slice(0, programs.length);
}
