/** The documentation as `npm run docs` builds it: the static files of a folder below `/docs/`. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { invalidOption } from '@blockwork/core/adapter';
import type { HttpAnswer } from '../answer/http-answer.js';
import { ENTRY, fileHeaders, filesBelow, hasEntry, strictPolicy } from './static-files.js';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.wasm': 'application/wasm',
};

/**
 * The engine of the playground compiles JSON Schemas to functions, and the interpreter of scripts is WebAssembly. Both run in workers, to
 * which the policy of their own file applies; that of the page remains strict.
 */
const COMPILES = /^playground\/[^/]+\.js$/;

export class DocumentationSite {
  readonly #files: ReadonlyMap<string, string>;

  /** Throws `OPTION_INVALID` if the folder has no first page. */
  constructor(folder: string) {
    if (!hasEntry(folder)) {
      throw invalidOption('docs.site', 'it must be a folder that `npm run docs` has built, with an index.html');
    }
    this.#files = filesBelow(folder);
  }

  /** `name`: the path below `/docs/`. `undefined` for what the site does not have. */
  async answer(name: string): Promise<HttpAnswer | undefined> {
    const path = name === '' || name.endsWith('/') ? name + ENTRY : name;
    const file = this.#files.get(path);
    const type = types[extname(path)];
    if (file === undefined || type === undefined) return undefined;
    const body = await readFile(file);
    const isPage = extname(path) === '.html';
    const scripts = [
      ...(isPage ? inlineScripts(body.toString()) : []),
      ...(COMPILES.test(path) ? ["'unsafe-eval'"] : []),
    ];
    return {
      status: 200,
      headers: fileHeaders(type, strictPolicy({ scripts }), isPage ? 'no-cache' : 'max-age=3600'),
      body,
    };
  }
}

/** The API reference sets its colour scheme by a script in the page, which the policy names by its hash. */
const inlineScripts = (html: string): string[] =>
  [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
  );
