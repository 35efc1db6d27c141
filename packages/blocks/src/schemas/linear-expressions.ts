/**
 * Where the matcher of patterns comes from, once a schema has one: it is large, and most programs that look at a policy need none. A
 * separate file, so that a bundle can substitute a file of its own.
 */
import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';

export const loadExpressions = (): { readonly RE2JS: typeof RE2JS } =>
  createRequire(import.meta.url)('re2js') as { readonly RE2JS: typeof RE2JS };
