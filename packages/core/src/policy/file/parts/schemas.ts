/** Reads the JSON schemas of a policy file. */
import { atOnce, type Steps } from '../../../loop-share.js';
import { closestTo, hintAt } from '../../../options/index.js';
import { isObject, type JsonObject, type SchemaRecord } from '../../../records/index.js';
import { suggestedName } from '../../model/block-finding.js';
import { pointerStep } from '../../model/pointer.js';
import type { Finding } from '../../model/policy-model.js';
import { tryParseJson, type JsonLimits } from '../json/parse-json.js';
import { quote } from '../../model/quote.js';
import { partAt } from './part-at.js';

export interface SchemaFile {
  /** Names the file in findings; the JSON pointer of a schema that the policy itself lists. */
  readonly name: string;
  readonly content: unknown;
}

/** `misspelt` is a member that is probably meant to be called `called`. */
type SchemaReport = (message: string, misspelt?: string, called?: string) => void;

/** One record per IRI. A schema with an unreadable document is kept, with `document: null` and the text in `source`. */
export const readSchemas = (...args: Parameters<typeof readingSchemas>): SchemaRecord[] =>
  atOnce(readingSchemas(...args));

/** As `readSchemas`, schema by schema. */
export function* readingSchemas(
  files: readonly SchemaFile[],
  limits: JsonLimits,
  findings: Finding[],
): Steps<SchemaRecord[]> {
  const schemas = new Map<string, SchemaRecord>();
  for (const { name, content } of files) {
    const report: SchemaReport = (message, misspelt, called) => {
      const place = partAt(name);
      const at = `${place.pointer ?? ''}${pointerStep(misspelt ?? '')}`;
      const suggestions = called === undefined ? {} : { suggestions: [suggestedName(at, called)] };
      findings.push({ severity: 'warning', code: 'SCHEMA_UNREADABLE', message, path: '', ...place, ...suggestions });
    };
    if (!isObject(content)) {
      report(`The schema ${name} is ${quote(content)}, not an object; it is left out.`);
      continue;
    }
    const schema = readSchema(name, content as JsonObject, limits, report);
    if (schemas.has(schema.id)) report(`A second schema, ${name}, has the IRI "${schema.id}"; it is left out.`);
    else schemas.set(schema.id, schema);
    yield;
  }
  return [...schemas.values()];
}

function readSchema(name: string, raw: JsonObject, limits: JsonLimits, report: SchemaReport): SchemaRecord {
  const { document: written, ...source } = raw;
  const misspelt =
    written === undefined
      ? Object.keys(source).find((key) => closestTo(key, ['document'], 2) !== undefined)
      : undefined;
  if (misspelt !== undefined)
    report(`The schema ${name} has no member ${misspelt}${hintAt('document')}.`, misspelt, 'document');
  const document = objectOf(written, `The document of the schema ${name}`, limits, report);
  if (document === null && written !== undefined) source['document'] = written;
  if (typeof source['context'] === 'string') {
    source['context'] =
      objectOf(source['context'], `The context of the schema ${name}`, limits, report) ?? source['context'];
  }
  return {
    id: iri(name, raw, document, report),
    name: textOf(raw['name']),
    entity: textOf(raw['entity']),
    status: textOf(raw['status']),
    document,
    source,
  };
}

/** Accepts objects and JSON text: archives have both. */
function objectOf(
  value: unknown,
  label: string,
  limits: JsonLimits,
  report: (message: string) => void,
): JsonObject | null {
  if (typeof value !== 'string') {
    if (isObject(value)) return value as JsonObject;
    report(`${label} is ${quote(value)}, not an object.`);
    return null;
  }
  const read = tryParseJson(Buffer.from(value), label, limits);
  if (isObject(read.value)) return read.value as JsonObject;
  report(read.reason ?? `${label} is ${quote(read.value)}, not an object.`);
  return null;
}

function iri(name: string, raw: JsonObject, document: JsonObject | null, report: (message: string) => void): string {
  const ownIri = [raw['iri'], document?.['$id']].find((value) => typeof value === 'string' && value !== '');
  if (typeof ownIri === 'string') return ownIri;
  const schemaIri = textOf(raw['uuid']) === '' ? name : `#${textOf(raw['uuid'])}`;
  report(`The schema ${name} has no IRI; it is known as "${schemaIri}". Give it an "iri".`);
  return schemaIri;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
