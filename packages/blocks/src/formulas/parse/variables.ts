/** The names in a formula. */
import { isBuiltIn } from '../functions/index.js';
import { syntaxOf } from './parse.js';
import { childrenOf, type Syntax, type SyntaxOf } from './syntax.js';

/** The names that an expression takes from its scope, each once. Throws a `FormulaError` for one that is not allowed. */
export function variablesOf(expression: string): string[] {
  const names = new Set<string>();
  collect(syntaxOf(expression), new Set(['end']), names);
  return [...names];
}

/** Every name that an evaluation may look up in the scope, including those that hide a function or a definition. */
export function namesIn(expression: string): Set<string> {
  const names = new Set<string>();
  const visit = (syntax: Syntax): void => {
    if (syntax.kind === 'name' || syntax.kind === 'call') names.add(syntax.name);
    childrenOf(syntax).forEach(visit);
  };
  visit(syntaxOf(expression));
  return names;
}

/** `own`: names that the expression defines. Definitions are visible to everything after them. */
function collect(syntax: Syntax, own: Set<string>, names: Set<string>): void {
  switch (syntax.kind) {
    case 'name':
      if (!own.has(syntax.name) && !isBuiltIn(syntax.name)) names.add(syntax.name);
      return;
    case 'function':
      own.add(syntax.name);
      collect(syntax.body, new Set([...own, ...syntax.parameters]), names);
      return;
    case 'let':
      collect(syntax.value, own, names);
      own.add(syntax.name);
      return;
    case 'call': {
      const inline = inlineBody(syntax);
      for (const arg of syntax.args) {
        const parameter = arg === inline ? inlineParameter(arg, (name) => own.has(name) || names.has(name)) : undefined;
        collect(arg, parameter === undefined ? own : new Set([...own, parameter]), names);
      }
      return;
    }
    default:
      for (const child of childrenOf(syntax)) collect(child, own, names);
  }
}

const taking: readonly string[] = ['map', 'filter', 'forEach'];

/** The last argument, if it is neither a function nor the name of one. */
export function inlineBody({ name, args }: SyntaxOf<'call'>): Syntax | null {
  const last = args.at(-1);
  const isInline = last !== undefined && args.length > 1 && last.kind !== 'name' && last.kind !== 'function';
  return isInline && taking.includes(name) ? last : null;
}

/** The name that stands for the element: the first that means nothing else. */
export function inlineParameter(body: Syntax, isKnown: (name: string) => boolean): string | undefined {
  if (body.kind === 'name') return isBuiltIn(body.name) || isKnown(body.name) ? undefined : body.name;
  for (const child of childrenOf(body)) {
    const parameter = inlineParameter(child, isKnown);
    if (parameter !== undefined) return parameter;
  }
  return undefined;
}
