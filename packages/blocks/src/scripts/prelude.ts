/** The environment of a script, set up by JavaScript that runs in the sandbox before it. */
import { functionNames } from '../formulas/functions/index.js';

/**
 * Evaluates to a function that calls the script with its arguments. The sandbox is connected to the host by two functions
 * only: `give` takes the result as JSON text, `evaluate` a formula and its scope. The clock stands still at `now`, and random
 * numbers follow from `seed`, so that a run can be repeated.
 */
export const PRELUDE = `(function (give, evaluate, args) {
  'use strict';
  const { parse, stringify } = JSON;
  const { now, seed, user, documents, artifacts } = parse(args);

  const RealDate = Date;
  globalThis.Date = class Date extends RealDate {
    constructor(...parts) {
      if (parts.length === 0) super(now);
      else super(...parts);
    }
    static now() {
      return now;
    }
  };
  let state = seed;
  Math.random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };

  const formula = (expression, scope) => parse(evaluate(String(expression), stringify(scope) ?? '{}'));
  const mathjs = { evaluate: (expression, scope = {}) => formula(expression, scope), pi: Math.PI, e: Math.E };
  const formulajs = {};
  for (const name of ${JSON.stringify(functionNames)}) {
    const library = name === name.toUpperCase() ? formulajs : mathjs;
    library[name] = (...values) => {
      const names = values.map((_, i) => 'a' + i);
      return formula(name + '(' + names.join(',') + ')', Object.fromEntries(names.map((key, i) => [key, values[i]])));
    };
  }
  // Functions cannot leave the sandbox, so what applies them stays inside.
  const deep = (list, apply, place = []) =>
    list.map((item, i) => (Array.isArray(item) ? deep(item, apply, [...place, i]) : apply(item, [...place, i])));
  const { sort, range } = mathjs;
  Object.assign(mathjs, {
    map: (list, apply) => deep(list, (item, place) => apply(item, place, list)),
    filter: (list, test) => list.filter((item, i) => test(item, [i], list)),
    forEach: (list, apply) => void deep(list, (item, place) => apply(item, place, list)),
    // To programs, the end of a range is not part of it unless they ask for it.
    range: (...args) => (typeof args.at(-1) === 'boolean' ? range(...args) : range(...args, false)),
    sort: (list, how = 'asc') => (typeof how === 'function' ? [...list].sort(how) : sort(list, how)),
  });
  Object.freeze(mathjs);
  globalThis.formulajs = Object.freeze(formulajs);

  // Published scripts still contain debug output, which is discarded.
  const discard = () => undefined;
  globalThis.console = Object.freeze({ log: discard, info: discard, warn: discard, error: discard, debug: discard, trace: discard, table: discard, dir: discard });

  let given = false;
  const done = (result) => {
    if (given) return;
    given = true;
    give(stringify(result) ?? '');
  };
  return (script) => script.call(documents, done, user, documents, mathjs, artifacts);
})`;
