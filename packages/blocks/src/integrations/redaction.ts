/** Redaction: puts the names of secrets in the place of their values, in whatever a service or a failure gives back. */
import { secretReference } from '@blockwork/core/block';

/** Shorter values occur by chance; nobody guesses that they are secret. */
const SHORTEST = 4;

export type Redact = (text: string) => string;

/** Values are found as they are, and as they stand in addresses and in JSON. */
export function redaction(secrets: ReadonlyMap<string, string>): Redact {
  const names = new Map<string, string>();
  for (const [name, value] of secrets) {
    const forms = [value, encodeURIComponent(value), encodeURI(value), JSON.stringify(value).slice(1, -1)];
    for (const form of forms) if (form.length >= SHORTEST) names.set(form, name);
  }
  // The longest first: one value may be a part of another.
  const values = [...names.keys()].sort((one, other) => other.length - one.length);
  return (text) =>
    values.reduce((rest, value) => rest.replaceAll(value, () => secretReference(names.get(value) ?? '')), text);
}
