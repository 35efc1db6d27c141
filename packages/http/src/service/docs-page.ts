/** Pages below `/docs`: the documentation, and the OpenAPI document with Swagger UI. Nothing is fetched from elsewhere. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { invalidOption } from '@blockwork/core/adapter';
import type { HttpAnswer } from '../answer/http-answer.js';
import { DocumentationSite } from './documentation-site.js';

const files: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

/** Swagger UI sets styles on elements, and draws its icons from data URLs. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'";

export interface DocsOptions {
  /** The folder of `swagger-ui-dist`. */
  readonly assets: string;
  /** A folder of the documentation, as `npm run docs` builds it. */
  readonly site?: string | undefined;
}

export class DocsPage {
  readonly #folder: string;
  readonly #document: string;
  readonly #site: DocumentationSite | null;

  /** `document` is the address of the OpenAPI document. Throws `OPTION_INVALID` if a folder is not what it should be. */
  constructor({ assets: folder, site }: DocsOptions, document: string) {
    if (Object.keys(files).some((name) => !existsSync(join(folder, name)))) {
      throw invalidOption('docs.assets', 'it must be the folder of swagger-ui-dist');
    }
    this.#folder = folder;
    this.#document = document;
    this.#site = site === undefined ? null : new DocumentationSite(site);
  }

  /** The pages at `/docs` and below, and their files; `undefined` for any other path. */
  async answer(path: string): Promise<HttpAnswer | undefined> {
    // Relative, so that it holds behind a proxy that adds a path. Links of the site begin at the path with the slash.
    if (path === '/docs' && this.#site !== null)
      return { status: 302, headers: { Location: 'docs/', 'Cache-Control': 'no-cache' }, body: null };
    const name = path.slice('/docs/'.length);
    if (name === 'openapi' || (name === '' && this.#site === null)) return answer('text/html; charset=utf-8', page);
    if (name === 'start.js') return answer('text/javascript; charset=utf-8', script(this.#document));
    const type = Object.hasOwn(files, name) ? files[name] : undefined;
    if (type === undefined) return this.#site?.answer(name);
    return answer(type, await readFile(join(this.#folder, name)), 'max-age=3600');
  }
}

const answer = (type: string, body: string | Uint8Array, caching = 'no-cache'): HttpAnswer => ({
  status: 200,
  headers: {
    'Content-Type': type,
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': caching,
  },
  body,
});

const page = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Blockwork API</title>
  <link rel="stylesheet" href="/docs/swagger-ui.css">
  <link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
</head>
<body>
  <div id="ui"></div>
  <script src="/docs/swagger-ui-bundle.js"></script>
  <script src="/docs/start.js"></script>
</body>
</html>
`;

const script = (document: string): string =>
  `SwaggerUIBundle(${JSON.stringify({
    url: document,
    dom_id: '#ui',
    deepLinking: true,
    validatorUrl: null,
    persistAuthorization: false,
    docExpansion: 'none',
  })});\n`;
