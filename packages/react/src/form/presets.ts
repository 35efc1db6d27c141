/** The prefilled values of a form, from a document and from the user. */
import { type FormSchema, serverFields } from './fields.js';

export interface PresetField {
  /** A field of the form. */
  readonly name: string;
  /** A field of the source document, or `username`. */
  readonly value?: string | null;
  readonly readonly?: boolean;
}

type Values = Record<string, unknown>;

/** `document`: the JSON Schema of the form's credential; `row`: the document that values are taken from. */
export function presetValues(
  document: FormSchema,
  presets: readonly PresetField[],
  row: Readonly<Record<string, unknown>> | null | undefined,
  username: string | undefined,
): Values {
  const subject = subjectOf(row?.document);
  const values: Values = {};
  for (const { name, value } of presets) {
    const preset =
      value === 'username' ? username : value && Object.hasOwn(subject, value) ? subject[value] : undefined;
    if (preset === undefined || preset === null) continue;
    values[name] = withoutServerFields(preset, document.properties?.[name], document.$defs);
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

type Definitions = FormSchema['$defs'];

/** At every level, since the server sets them again. GeoJSON keeps its own `type`. */
function withoutServerFields(value: unknown, field: unknown, definitions: Definitions): unknown {
  const { $ref, items, ...own } = (field ?? {}) as FormSchema;
  if (Array.isArray(value)) return value.map((each) => withoutServerFields(each, items, definitions));
  if (typeof value !== 'object' || value === null) return value;
  const schema = ($ref === undefined ? own : definitions?.[$ref]) ?? {};
  if (isPlace(schema)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !serverFields.has(name))
      .map(([name, member]) => [name, withoutServerFields(member, schema.properties?.[name], definitions)]),
  );
}

/**
 * Whether values of a schema are GeoJSON: one of several kinds of objects, told apart by their `type`, among them `Point`.
 *
 * @example isPlace({ oneOf: [{ properties: { type: { enum: ['Point'] } } }] }); // true
 */
export const isPlace = ({ oneOf = [] }: { readonly oneOf?: readonly unknown[] | undefined }): boolean =>
  (oneOf as readonly FormSchema[]).some(({ properties }) => {
    const { type } = (properties ?? {}) as Readonly<Record<string, FormSchema & { readonly const?: unknown }>>;
    return type?.const === 'Point' || type?.enum?.includes('Point') === true;
  });
