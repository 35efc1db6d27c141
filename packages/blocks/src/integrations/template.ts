/** Templates of requests: `${path}` is replaced by the value at that path of a document. */
import { valueAt, type Json } from '@blockwork/core/block';

/** A template that cannot be filled in. */
export class TemplateError extends Error {}

const placeholder = /\$\{([^{}]*)\}/g;

/** Replaces each placeholder by the encoded value. Throws a `TemplateError` for a path to an object, a list, or nothing. */
export const filled = (template: string, scope: object, encode: (text: string) => string): string =>
  template.replace(placeholder, (_, path: string) => {
    const value = valueIn(scope, path);
    if (typeof value === 'object') throw new TemplateError(`there is an object or a list at "${path}"`);
    return encode(String(value));
  });

/**
 * Fills in JSON text. `"${path}"` becomes the value itself, a placeholder within a longer text becomes text, and one outside
 * quotes becomes JSON. No value can change the JSON around it. Throws a `TemplateError`.
 */
export function filledJson(template: string, scope: object): string {
  const text = template.replace(/"(?:[^"\\]|\\.)*"|\$\{([^{}]*)\}/g, (token: string, path: string | undefined) => {
    if (path !== undefined) return JSON.stringify(valueIn(scope, path));
    const within = parsed(token);
    if (typeof within !== 'string') return token;
    const whole = /^\$\{([^{}]*)\}$/.exec(within)?.[1];
    return JSON.stringify(whole === undefined ? filled(within, scope, (value) => value) : valueIn(scope, whole));
  });
  if (parsed(text) === undefined) throw new TemplateError('the body is not JSON');
  return text;
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
