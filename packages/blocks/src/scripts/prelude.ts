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
  for (const name of ${JSON.stringify(functionNames)}) {
    mathjs[name] = (...values) => {
      const names = values.map((_, i) => 'a' + i);
      return formula(name + '(' + names.join(',') + ')', Object.fromEntries(names.map((key, i) => [key, values[i]])));
    };
  }
  Object.freeze(mathjs);

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
