/** `selectiveAttributes`: limits which options of a source's rows are shown. */
import { defineBlock, tolerant, valueAt, type DocumentRow, type Json, type JsonObject } from '@blockwork/core/block';
import { z } from 'zod';

const { listOf, text } = tolerant;

const options = z.strictObject({
  /** Which members of `option` are shown: paths in the document, such as `option.status`. */
  attributes: listOf(z.strictObject({ attributePath: text })),
});

export const selectiveAttributes = defineBlock({
  type: 'selectiveAttributes',
  title: 'Shown attributes',
  description: 'Keeps only selected attributes in the rows of its parent source.',
  kind: 'addon',
  parents: ['documentsSourceAddon'],
  pure: true,
  options,
  enrich: (ctx, rows) => rows.map((row) => ({ ...row, option: selected(row, ctx.options.attributes) })),
});

const PREFIX = 'option.';

function selected({ option }: DocumentRow, attributes: readonly { attributePath: string }[]): JsonObject {
  const selection: JsonObject = {};
  for (const { attributePath } of attributes) {
    const path = attributePath.startsWith(PREFIX) ? attributePath.slice(PREFIX.length) : attributePath;
    const value = valueAt(option, path) as Json | undefined;
    if (value !== undefined) put(selection, path.split('.'), value);
  }
  return selection;
}

/** Defines members instead of assigning them, because they may be called `__proto__`. */
function put(into: JsonObject, [key = '', ...rest]: readonly string[], value: Json): void {
  const define = (member: Json): void => {
    Object.defineProperty(into, key, { value: member, enumerable: true, writable: true, configurable: true });
  };
  if (rest.length === 0) {
    define(value);
    return;
  }
  const before = Object.hasOwn(into, key) ? into[key] : undefined;
  const inner = typeof before === 'object' && before !== null && !Array.isArray(before) ? before : {};
  define(inner);
  put(inner, rest, value);
}
