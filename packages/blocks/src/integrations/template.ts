/** Templates of requests: texts with `${path}` for what a document says there. */
import { valueAt, type Json } from '@blockwork/core/block';

/** A placeholder that cannot be filled. */
export class TemplateError extends Error {}

const placeholder = /\$\{([^{}]*)\}/g;

/** Every placeholder replaced by the encoded value. Throws a `TemplateError` where there is no plain value. */
export const filled = (template: string, scope: object, encode: (text: string) => string): string =>
  template.replace(placeholder, (_, path: string) => {
    const value = valueIn(scope, path);
    if (typeof value === 'object') throw new TemplateError(`there is no plain value at "${path}"`);
    return encode(String(value));
  });

/**
 * JSON text: `"${path}"` alone becomes the value itself, within a longer text it becomes text, and outside of quotes it
 * becomes JSON. Whatever the value holds, it cannot change what stands around it. Throws a `TemplateError`.
 */
export function filledJson(template: string, scope: object): string {
  const text = template.replace(/"(?:[^"\\]|\\.)*"|\$\{([^{}]*)\}/g, (token: string, path: string | undefined) => {
    if (path !== undefined) return JSON.stringify(valueIn(scope, path));
    const within = parsed(token);
    if (typeof within !== 'string') return token;
    const whole = /^\$\{([^{}]*)\}$/.exec(within)?.[1];
    return JSON.stringify(whole === undefined ? filled(within, scope, (value) => value) : valueIn(scope, whole));
  });
  if (parsed(text) === undefined) throw new TemplateError('the body is no JSON');
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
