/** Redaction: replaces the values of secrets with their names in responses and error messages. */
import { secretReference } from '@blockwork/core/block';

/** Shorter values are not redacted, since they occur by chance. */
const SHORTEST = 4;

export type Redact = (text: string) => string;

/** Matches values verbatim, URL-encoded and JSON-escaped. */
export function redaction(secrets: ReadonlyMap<string, string>): Redact {
  const names = new Map<string, string>();
  for (const [name, value] of secrets) {
    const forms = [value, encodeURIComponent(value), encodeURI(value), JSON.stringify(value).slice(1, -1)];
    for (const form of forms) if (form.length >= SHORTEST) names.set(form, name);
  }
  // Longest first: one value may contain another.
  const values = [...names.keys()].sort((one, other) => other.length - one.length);
  return (text) =>
    values.reduce((rest, value) => rest.replaceAll(value, () => secretReference(names.get(value) ?? '')), text);
}
