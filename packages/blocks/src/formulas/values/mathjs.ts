/** The two parts of mathjs that are used: its parser and its decimal numbers. Its functions are out of reach. */
import { loadParts } from './library.js';
import type { Decimal, MathjsParts } from './parts.js';

let loaded: MathjsParts | undefined;

/** Loaded with the first formula, because loading takes 0.1 seconds. */
export const mathjs = (): MathjsParts => (loaded ??= loadParts());

export const decimal = (value: string | number | Decimal): Decimal => {
  const { Decimal } = mathjs();
  return new Decimal(value);
};
