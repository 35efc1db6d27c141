/** Variables and functions defined in LaTeX, each of which may use the others. */
import type { JsonObject } from '@blockwork/core/block';
import { FormulaError } from '../formula-error.js';
import { isBuiltIn } from '../functions/index.js';
import { latexSyntax } from '../latex/index.js';
import { childrenOf, type Syntax } from '../parse/index.js';
import { toJson, Work, type StepBudget, type Value } from '../values/index.js';
import { evaluateSyntax } from './evaluation.js';

export interface LatexItem {
  readonly name: string;
  /** LaTeX. */
  readonly body: string;
  /** The parameters of a function; `null` for a variable. */
  readonly parameters: readonly string[] | null;
}

export interface LatexFailure {
  readonly name: string;
  readonly error: FormulaError;
}

export interface LatexSolution {
  /** Values of the variables that have one, by name. */
  readonly values: JsonObject;
  readonly failures: readonly LatexFailure[];
}

/**
 * Solves items in the order in which they need each other; numbers stay exact between them. An item that fails has no value,
 * even where the scope has one, so items that use it fail as well.
 */
export function solveLatex(items: readonly LatexItem[], scope: JsonObject, budget?: StepBudget): LatexSolution {
  const { ordered, failures } = sortItems(items, Object.keys(scope));
  const own = new Set(items.map(({ name }) => name));
  const names = Object.fromEntries(Object.entries(scope).filter(([name]) => !own.has(name)));
  const solutions = new Map<string, Value>();
  const values: [string, LatexValue][] = [];
  for (const { item, syntax } of ordered) {
    try {
      const work = new Work({ budget });
      const value = evaluateSyntax(item.body, syntax, names, work, solutions);
      if (item.parameters === null) values.push([item.name, toJson(value, work)]);
      solutions.set(item.name, value);
    } catch (error) {
      failures.push({ name: item.name, error: formulaError(error) });
    }
  }
  return { values: Object.fromEntries(values), failures };
}

type LatexValue = ReturnType<typeof toJson>;

/** Why items cannot be used: those that cannot be read, name what is not there, or need themselves. */
export const latexProblems = (items: readonly LatexItem[], links: readonly string[]): readonly LatexFailure[] =>
  sortItems(items, links).failures;

/** The names that each item uses, by the name of the item; of those that can be used. */
export const latexNeeds = (
  items: readonly LatexItem[],
  links: readonly string[],
): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(sortItems(items, links).ordered.map(({ item, needs }) => [item.name, needs]));

interface Read {
  readonly item: LatexItem;
  readonly syntax: Syntax;
  readonly needs: ReadonlySet<string>;
}

function sortItems(
  items: readonly LatexItem[],
  links: readonly string[],
): { ordered: Read[]; failures: LatexFailure[] } {
  const failures: LatexFailure[] = [];
  const read = new Map<string, Read>();
  const names = [
    ...links,
    ...items.flatMap(({ name, parameters }) => (parameters === null ? name : [name, `${name}(`])),
  ];
  for (const item of items) {
    try {
      const syntax = syntaxOfItem(item, names);
      read.set(item.name, { item, syntax, needs: namesOf(syntax) });
    } catch (error) {
      failures.push({ name: item.name, error: formulaError(error) });
    }
  }
  const ordered: Read[] = [];
  const states = new Map<string, 'open' | 'done'>();
  const visit = (each: Read): boolean => {
    const { name } = each.item;
    if (states.has(name)) return states.get(name) === 'done';
    states.set(name, 'open');
    const needed = [...each.needs].flatMap((need) => read.get(need) ?? []);
    if (!needed.every(visit)) {
      failures.push({ name, error: new FormulaError('It needs itself, or something that does') });
      return false;
    }
    states.set(name, 'done');
    ordered.push(each);
    return true;
  };
  for (const each of read.values()) visit(each);
  return { ordered, failures };
}

function syntaxOfItem({ name, body, parameters }: LatexItem, names: readonly string[]): Syntax {
  const syntax = latexSyntax(body, new Set([...names, ...(parameters ?? [])]));
  const unknown = [...namesOf(syntax)].find(
    (each) => !names.includes(each) && parameters?.includes(each) !== true && !isBuiltIn(each),
  );
  if (unknown !== undefined) throw new FormulaError(`Nothing is called "${unknown}"`);
  return parameters === null ? syntax : { kind: 'function', name, parameters, body: syntax };
}

/** The names that a formula uses and does not define. */
function namesOf(syntax: Syntax, own: readonly string[] = []): Set<string> {
  if (syntax.kind === 'name') return new Set(own.includes(syntax.name) ? [] : [syntax.name]);
  const defined =
    syntax.kind === 'function'
      ? [...own, ...syntax.parameters]
      : syntax.kind === 'series'
        ? [...own, syntax.variable]
        : own;
  const called = syntax.kind === 'call' && !own.includes(syntax.name) ? [syntax.name] : [];
  return new Set([...called, ...childrenOf(syntax).flatMap((child) => [...namesOf(child, defined)])]);
}

function formulaError(error: unknown): FormulaError {
  if (error instanceof FormulaError) return error;
  if (error instanceof RangeError) return new FormulaError('It is nested too deeply');
  throw error;
}
