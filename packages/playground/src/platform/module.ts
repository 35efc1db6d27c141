/** `node:module` for a page: what the sources load on demand, which is here already. */
import * as ajv from 'ajv';
import * as latex from '@unified-latex/unified-latex-util-parse';
import * as expressions from 're2js';

const libraries: Readonly<Record<string, unknown>> = {
  ajv,
  re2js: expressions,
  '@unified-latex/unified-latex-util-parse': latex,
};

export const createRequire =
  () =>
  (name: string): unknown => {
    if (Object.hasOwn(libraries, name)) return libraries[name];
    throw new Error(`A page cannot load ${name}.`);
  };
