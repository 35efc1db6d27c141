/**
 * Where the parts of mathjs come from: its one-file build, since the modules of the package take ten times as long to load. A
 * separate file, so that a bundle can substitute the modules of the parser alone.
 */
import { createRequire } from 'node:module';
import type * as library from 'mathjs';
import { PRECISION, type MathjsParts } from './parts.js';

/** The one-file build has no factories to choose from: it makes an instance of everything, each part when it is first used. */
interface Library {
  readonly create: (options: library.ConfigOptions) => library.MathJsInstance;
}

export function loadParts(): MathjsParts {
  const { create } = createRequire(import.meta.url)('mathjs/lib/browser/math.js') as Library;
  const instance = create({ number: 'BigNumber', precision: PRECISION });
  // The typings leave the class out.
  const { BigNumber: Decimal } = instance as unknown as { BigNumber: MathjsParts['Decimal'] };
  return { parse: (expression) => instance.parse(expression), Decimal };
}
