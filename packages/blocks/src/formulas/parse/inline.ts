/** Functions written as expressions of an element: `filter(list, x > 0)`. */
import { isBuiltIn } from '../functions/index.js';
import { childrenOf, type Syntax, type SyntaxOf } from './syntax.js';

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
    const found = inlineParameter(child, isKnown);
    if (found !== undefined) return found;
  }
  return undefined;
}
