/** Patterns of schemas, matched in linear time by RE2. */
import { loadExpressions } from './linear-expressions.js';
import { SchemaUnusable } from './usable-schema.js';

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
    const compiled = RE2JS.compile(pattern);
    return { test: (text) => compiled.matcher(text).find(), toString: () => pattern };
  } catch {
    throw new SchemaUnusable(
      `its pattern ${JSON.stringify(pattern)} is invalid, or cannot be matched in linear time (look-around and back references are not supported)`,
    );
  }
}

/** In the form that ajv expects; `code` is used only for standalone modules. */
export const linearPatterns = Object.assign(compile, { code: 'undefined' });
