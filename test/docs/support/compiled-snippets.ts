/** What the compiler says of snippets in strict mode, each as a module of its own. */
import { fileURLToPath } from 'node:url';
import { diagnosticsOf } from '../../support/diagnostics.js';
import { moduleOf } from './snippet-modules.js';
import type { Snippet } from './snippets.js';

const around = fileURLToPath(new URL('program-around.d.mts', import.meta.url));

/**
 * The complaints about each snippet, in order; none for one that compiles. A part of a program finds `around` itself what
 * `program-around.d.mts` declares; a whole one needs nothing.
 */
export function complaints(snippets: readonly Snippet[], { isPart }: { readonly isPart: boolean }): string[][] {
  const files = new Map(snippets.map((snippet, n) => moduleOf(snippet, n)));
  const complaintLists = diagnosticsOf(files, config, isPart ? [around] : []);
  return [...files.keys()].map((file, n) =>
    (complaintLists[n] ?? []).filter((message) => !(file.endsWith('.js') && wantsTypes.test(message))),
  );
}

/** JavaScript says no types, so what only they could settle is no mistake in it. */
const wantsTypes = /implicitly has an 'any' type|on type 'unknown'|'string \| undefined' is not assignable/;

// Readers have `strict`, and rarely more.
const config = {
  extends: fileURLToPath(new URL('../../../tsconfig.lint.json', import.meta.url)),
  compilerOptions: { checkJs: true, noUncheckedIndexedAccess: false },
};
