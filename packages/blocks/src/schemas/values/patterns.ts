/** Patterns of schemas, matched in linear time by RE2. */
import { loadExpressions } from '../linear-expressions.js';
import { SchemaUnusable } from '../schema-unusable.js';

interface Pattern {
  test(text: string): boolean;
  /** Ajv tells the patterns of a schema apart by this. */
  toString(): string;
}

let expressions: ReturnType<typeof loadExpressions> | undefined;

function compile(pattern: string): Pattern {
  expressions ??= loadExpressions();
  const { RE2JS } = expressions;
  try {
    const compiled = RE2JS.compile(withCodePoints(pattern));
    return { test: (text) => compiled.matcher(text).find(), toString: () => pattern };
  } catch {
    throw new SchemaUnusable(
      `its pattern ${JSON.stringify(pattern)} is invalid, or cannot be matched in linear time (look-around and back references are not supported)`,
    );
  }
}

/** RE2 writes `\u0400` and `\u{1F600}` as `\x{0400}` and `\x{1F600}`; an escaped backslash is none of them. */
const withCodePoints = (pattern: string): string =>
  pattern.replace(/\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|[^])/gi, (escape, braced?: string, four?: string) => {
    const point = braced ?? four;
    return point === undefined ? escape : `\\x{${point}}`;
  });

/** In the form that ajv expects; `code` is used only for standalone modules. */
export const linearPatterns = Object.assign(compile, { code: 'undefined' });
