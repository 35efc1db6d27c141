/** Checks of the OpenAPI document, by a JSON Schema validator that knows nothing of zod. */
import { openApiDocument } from '@blockwork/contract';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const document = openApiDocument();
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
addFormats.default(ajv);
ajv.addSchema({ $id: 'document', ...document });

/** The check of a schema in the document, by its JSON pointer with a leading `#`. */
export function schemaOf(pointer: string): ValidateFunction {
  const check = ajv.getSchema(`document${pointer}`);
  if (check === undefined) throw new Error(`The document has no schema at ${pointer}.`);
  return check;
}

interface Response {
  readonly $ref?: string;
}

/** What the document says is wrong with the body of an answer. */
export function documentProblems(
  path: string,
  method: string,
  { status, type = 'application/json' }: { readonly status: number; readonly type?: string | undefined },
  body: unknown,
): string[] {
  const operation = document.paths[path]?.[method.toLowerCase()] as { responses: Record<string, Response> } | undefined;
  const response = operation?.responses[status];
  if (response === undefined) return [`the OpenAPI document has no ${status} for ${method} ${path}`];
  const at = response.$ref ?? `#/paths/${escaped(path)}/${method.toLowerCase()}/responses/${status}`;
  const check = schemaOf(`${at}/content/${type.replace('/', '~1')}/schema`);
  return check(body) ? [] : [`by the OpenAPI document: ${JSON.stringify(check.errors)}`];
}

const escaped = (path: string): string => encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'));
