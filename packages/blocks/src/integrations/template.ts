/** Templates of requests: `${path}` is replaced by the value at that path of a document. */
import { valueAt, type Json } from '@blockwork/core/block';

/** A template that cannot be filled in. */
export class TemplateError extends Error {}

/** The values for placeholders. */
export interface TemplateValues {
  /** A document; `${path}` is the value at that path. */
  readonly scope: object;
  /** By name, for `{{secret:NAME}}` in the template itself: inserted document values are not expanded. */
  readonly secrets: ReadonlyMap<string, string>;
}

const placeholder = /\$\{([^{}]*)\}|\{\{\s*secret:(\w+)\s*\}\}/g;

/** Replaces each placeholder by the encoded value. Throws a `TemplateError` for a path to an object, a list, or nothing. */
export const filled = (template: string, values: TemplateValues, encode: (text: string) => string): string =>
  template.replace(placeholder, (_, path: string | undefined, secret: string | undefined) => {
    if (path === undefined) return encode(secretIn(values, secret));
    const value = valueIn(values.scope, path);
    if (typeof value === 'object') throw new TemplateError(`there is an object or a list at "${path}"`);
    return encode(String(value));
  });

/**
 * Fills in an address. A value stays within its segment of the path: it is encoded, and may neither be empty there nor
 * make the segment `.` or `..`, which would lead to another place. Throws a `TemplateError`.
 */
export function filledAddress(template: string, values: TemplateValues): string {
  const [, before = '', path = '', after = ''] = /^([a-z]+:\/\/[^/?#]*)?([^?#]*)(.*)$/is.exec(template) ?? [];
  const fill = (text: string): string => filled(text, values, encodeURIComponent);
  const segments = path.split('/').map((segment) => {
    const text = fill(segment);
    if (segment === text || !['', '.', '..'].includes(text)) return text;
    throw new TemplateError(`the part "${segment}" of its path would be ${text === '' ? 'empty' : `"${text}"`}`);
  });
  return fill(before) + segments.join('/') + fill(after);
}

/**
 * Fills in JSON text. `"${path}"` becomes the value itself, a placeholder within a longer text becomes text, and one outside
 * quotes becomes JSON. No value can change the JSON around it. Throws a `TemplateError`.
 */
export function filledJson(template: string, values: TemplateValues): string {
  const token = /"(?:[^"\\]|\\.)*"|\$\{([^{}]*)\}|\{\{\s*secret:(\w+)\s*\}\}/g;
  const text = template.replace(token, (match: string, path: string | undefined, secret: string | undefined) => {
    if (path !== undefined) return JSON.stringify(valueIn(values.scope, path));
    if (secret !== undefined) return JSON.stringify(secretIn(values, secret));
    const within = parsed(match);
    if (typeof within !== 'string') return match;
    const whole = /^\$\{([^{}]*)\}$/.exec(within)?.[1];
    return JSON.stringify(
      whole === undefined ? filled(within, values, (value) => value) : valueIn(values.scope, whole),
    );
  });
  if (parsed(text) === undefined) throw new TemplateError('the body is not JSON');
  return text;
}

function secretIn({ secrets }: TemplateValues, name = ''): string {
  const value = secrets.get(name);
  if (value === undefined) throw new TemplateError(`there is no secret "${name}"`);
  return value;
}

function valueIn(scope: object, path: string): Json {
  const value = valueAt(scope, path.trim()) as Json | undefined;
  if (value === undefined) throw new TemplateError(`there is nothing at "${path}"`);
  return value;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
