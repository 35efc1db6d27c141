/** What the OpenAPI document says of a request, by a validating middleware of another maker, which knows nothing but the document. */
import { openApiDocument, type OpenApiDocument } from '@blockwork/contract';
import express from 'express';
import type { ErrorRequestHandler } from 'express';
import * as validator from 'express-openapi-validator';
import { listen } from './listen.js';

const ALLOWED = 204;

/**
 * What the document says of requests, word for word, with the schemas that this names. The middleware goes through the whole document
 * for each route anew, and most of it is about answers, which it leaves alone here.
 */
function requestsOf(document: OpenApiDocument): OpenApiDocument {
  const { components, ...parts } = JSON.parse(JSON.stringify(document)) as OpenApiDocument;
  const responses = { default: { description: 'Any' } };
  for (const path of Object.values(parts.paths)) {
    for (const operation of Object.values(path)) Object.assign(operation, { responses });
  }
  const all = components['schemas'] as Readonly<Record<string, unknown>>;
  const schemas: Record<string, unknown> = {};
  const keepNamedIn = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"/]+)"/g)) {
      if (Object.hasOwn(schemas, name)) continue;
      schemas[name] = all[name];
      keepNamedIn(schemas[name]);
    }
  };
  keepNamedIn(parts);
  return { ...parts, components: { ...components, schemas, responses: {}, headers: {} } };
}

const refuse: ErrorRequestHandler = (error: { status?: number; message: string }, _request, response, _next) => {
  response.status(error.status ?? 500).json(error.message);
};

function documentOnly(): express.Express {
  const app = express();
  app.use(
    express.json({ strict: false, limit: '32mb' }),
    express.raw({ type: ['application/zip', 'application/octet-stream'], limit: '64mb' }),
  );
  app.use(
    validator.middleware({
      apiSpec: requestsOf(openApiDocument()) as never,
      validateRequests: { allowUnknownQueryParameters: true },
      validateResponses: false,
      validateSecurity: { handlers: { bearer: () => true } },
      fileUploader: false,
    }),
  );
  app.use((_request, response) => void response.status(ALLOWED).end());
  app.use(refuse);
  return app;
}

export interface DocumentVerdict {
  /** What the document has against a request that the server took; `null` for nothing. */
  refusal(path: string, init?: RequestInit): Promise<string | null>;
}

/** Over a connection: what calls a middleware without one changes the prototypes of all applications of the process. */
async function openDocumentVerdict(): Promise<DocumentVerdict> {
  const { url } = await listen(documentOnly());
  return {
    refusal: async (path, init) => {
      const { pathname, search } = new URL(path, url);
      const response = await fetch(url + pathname + encoded(search), init);
      const text = await response.text();
      return response.status === ALLOWED ? null : text;
    },
  };
}

let shared: Promise<DocumentVerdict> | undefined;

/** One for all tests of a process, with which it ends: nothing in it depends on who asks. */
export const sharedDocumentVerdict = (): Promise<DocumentVerdict> => (shared ??= openDocumentVerdict());

/** Every reserved character as a percent code: the middleware takes none of them as it is, not even the plus that is a space. */
function encoded(search: string): string {
  const strictly = (text: string): string =>
    encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
  const pairs = [...new URLSearchParams(search)].map(([name, value]) => `${strictly(name)}=${strictly(value)}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Whether the server found nothing wrong with the form of the request: it did what was asked, or the state does not allow it. */
export const isWellFormed = ({ status }: Response): boolean => status < 300 || status === 409;

export async function hasWrongParameter(response: Response): Promise<boolean> {
  if (response.status !== 400) return false;
  const { error } = (await response.clone().json()) as { error: string };
  return error === 'PARAMETER_INVALID';
}
