/** The values of formulas, and their conversion from and to JSON. */
import type { Json, JsonObject } from '@blockwork/core/block';
import { FormulaError } from '../formula-error.js';
import { formulaLimits } from '../limits.js';
import { Real } from './real.js';
import type { Work } from './work.js';

/** An object of a document. Formulas read its own fields and nothing else. */
export class Fields {
  constructor(readonly json: JsonObject) {}
}

export class Callable {
  constructor(
    readonly name: string,
    readonly invoke: (args: readonly Value[], work: Work) => Value,
    /** How many arguments a function of the formula takes; `undefined` for the others. */
    readonly parameters?: number,
  ) {}
}

export type Value = Real | string | boolean | null | readonly Value[] | Fields | Callable;

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

export const isNumber = (value: Value): value is Real => value instanceof Real;

/** The value in the words of a message. */
export function describe(value: Value): string {
  if (typeof value === 'string') return value.length > 40 ? 'a long text' : `the text "${value}"`;
  if (value === null) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (isList(value)) return 'a list';
  if (value instanceof Fields) return 'an object';
  if (value instanceof Callable) return `the function "${value.name}"`;
  return String(value);
}

export function fromJson(json: Json, work: Work): Value {
  work.spend(1);
  if (typeof json === 'number') {
    if (!Number.isFinite(json)) throw new FormulaError('A number is not finite');
    return Real.ofJson(json);
  }
  if (typeof json !== 'object' || json === null) return json;
  if (!Array.isArray(json)) return new Fields(json);
  if (json.length > formulaLimits.elements) throw new FormulaError('A list is too long');
  return work.nested(() => json.map((item) => fromJson(item, work)));
}

/** Numbers are rounded to the nearest JSON number. */
export function toJson(value: Value, work: Work): Json {
  work.spend(1);
  if (isList(value)) return work.nested(() => value.map((item) => toJson(item, work)));
  if (value instanceof Callable) throw new FormulaError('It gives a function, not a value');
  if (value instanceof Fields) {
    work.weigh(value.json);
    return value.json;
  }
  if (isNumber(value)) {
    const number = value.toNumber();
    if (!Number.isFinite(number)) throw new FormulaError('The result is too large');
    return number === 0 ? 0 : number;
  }
  if (typeof value === 'string') work.spend(value.length / 10);
  return value;
}
