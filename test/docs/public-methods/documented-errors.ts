/** The errors that comments of public methods announce. */
import { errorTable, type ErrorCode } from '@blockwork/core';
import type { Callable } from './public-types.js';

export interface DocumentedErrors {
  readonly codes: readonly ErrorCode[];
  /** Whether errors of blocks pass through. */
  readonly blocks: boolean;
}

const isCode = (text: string): text is ErrorCode => text in errorTable;
const codesIn = (text: string): ErrorCode[] =>
  [...text.matchAll(/`([A-Z_]+)`/g)].map(([, code = '']) => code).filter(isCode);

/**
 * Comments name codes, refer to another method (`Throws as`), and to the class, whose comment says what every method throws. A method
 * that names nothing throws what its class says.
 */
export function documentedErrors(methods: readonly Callable[]): Map<string, DocumentedErrors> {
  const byName = new Map(methods.map((method) => [method.name, method]));
  const errorsOf = ({ name, comment, holder }: Callable): DocumentedErrors => {
    const own = codesIn(comment);
    const sharesAll = comment.includes('errors common to all methods') || !/throws|rejects/i.test(comment);
    const common = sharesAll ? codesIn(/(?:Every method throws|Methods throw) [^.]*\./.exec(holder)?.[0] ?? '') : [];
    const others = [...comment.matchAll(/(?:Throws|and) as `(\w+)`/g)].map(([, other = '']) => {
      const named = byName.get(name.replace(/\w+$/, other));
      if (named === undefined) throw new Error(`${name} throws as ${other}, which is no method beside it.`);
      return errorsOf(named);
    });
    const codes = new Set([...own, ...common, ...others.flatMap((each) => each.codes)]);
    const blocks = /what (the|any) (block|requested action)/.test(comment) || others.some((each) => each.blocks);
    return { codes: [...codes].sort(), blocks };
  };
  return new Map(methods.map((method) => [method.name, errorsOf(method)]));
}
