/** A page that shows the OpenAPI document, with Swagger UI from a folder: nothing is fetched from elsewhere. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { invalidOption } from '@blockwork/core/adapter';
import type { HttpAnswer } from '../answer/http-answer.js';

const files: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

/** Swagger UI sets styles on elements, and draws its icons from data URLs. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'";

export class DocsPage {
  readonly #folder: string;
  readonly #document: string;

  /** `document` is the address of the OpenAPI document. Throws `OPTION_INVALID` if Swagger UI is not in the folder. */
  constructor(folder: string, document: string) {
    if (Object.keys(files).some((name) => !existsSync(join(folder, name)))) {
      throw invalidOption('docs.assets', 'it must be the folder of swagger-ui-dist');
    }
    this.#folder = folder;
    this.#document = document;
  }

  /** The page at `/docs` and its files below; `undefined` for any other path. */
  async answer(path: string): Promise<HttpAnswer | undefined> {
    if (path === '/docs' || path === '/docs/') return answer('text/html; charset=utf-8', page);
    const name = path.slice('/docs/'.length);
    if (name === 'start.js') return answer('text/javascript; charset=utf-8', script(this.#document));
    const type = Object.hasOwn(files, name) ? files[name] : undefined;
    return type === undefined ? undefined : answer(type, await readFile(join(this.#folder, name)), 'max-age=3600');
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
