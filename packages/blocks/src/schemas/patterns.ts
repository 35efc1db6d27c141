/** Patterns of schemas, matched in time that grows with the text alone: no pattern can keep the engine busy. */
import { RE2JS } from 're2js';
import { SchemaUnusable } from './usable-schema.js';

interface Pattern {
  test(text: string): boolean;
}

function compile(pattern: string): Pattern {
  try {
    const compiled = RE2JS.compile(pattern);
    return { test: (text) => compiled.matcher(text).find() };
  } catch {
    throw new SchemaUnusable(
      `its pattern ${JSON.stringify(pattern)} cannot be matched in linear time, or is none; look-around and back references are not known here`,
    );
  }
}

/** In the form that ajv takes; `code` is only for generated modules, which are never written here. */
export const linearPatterns = Object.assign(compile, { code: 'undefined' });
