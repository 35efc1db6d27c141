/** What a form is filled with before anybody writes in it: values of the document that it begins from, and of the person. */
import { serverFields } from './form-schema.js';

export interface PresetField {
  /** A field of the form. */
  readonly name: string;
  /** A field of the document that the form begins from, or `username`. */
  readonly value?: string | null;
  readonly readonly?: boolean;
}

type Values = Record<string, unknown>;

export function presetValues(
  presets: readonly PresetField[],
  row: Readonly<Record<string, unknown>> | null | undefined,
  username: string,
): Values {
  const subject = subjectOf(row?.['document']);
  const values: Values = {};
  for (const { name, value } of presets) {
    const preset =
      value === 'username' ? username : value && Object.hasOwn(subject, value) ? subject[value] : undefined;
    if (preset !== undefined && preset !== null) values[name] = withoutServerFields(preset);
  }
  return values;
}

/** The subject of a credential, or of the first credential of a presentation. */
function subjectOf(document: unknown): Values {
  const { credentialSubject, verifiableCredential } = (document ?? {}) as {
    readonly credentialSubject?: unknown;
    readonly verifiableCredential?: unknown;
  };
  if (verifiableCredential !== undefined) return subjectOf(first(verifiableCredential));
  return (first(credentialSubject) ?? {}) as Values;
}

const first = (value: unknown): unknown => (Array.isArray(value) ? (value[0] as unknown) : value);

/** At every level: the server writes its own again. */
function withoutServerFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutServerFields);
  if (typeof value !== 'object' || value === null) return value;
  const own = Object.entries(value).filter(([name]) => !serverFields.has(name));
  return Object.fromEntries(own.map(([name, field]) => [name, withoutServerFields(field)]));
}
