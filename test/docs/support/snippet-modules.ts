/** Snippets as modules that exist in memory only, at a place from which packages and frameworks are found. */
import { fileURLToPath } from 'node:url';
import type { Snippet } from './snippets.js';

const snippetFolder = fileURLToPath(new URL('../.snippets/', import.meta.url));

/** Its path, and its text: top-level `await` needs a module, which a snippet without imports is not yet. */
export const moduleOf = ({ language, code }: Snippet, n: number): [string, string] => [
  `${snippetFolder}snippet-${n}.${language}`,
  `${code}\nexport {};\n`,
];
