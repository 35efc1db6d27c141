/** The console: the static files of a folder below `/console`, under a policy that allows no inline code and no host but the sign-in provider. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { invalidOption } from '@blockwork/core/adapter';
import type { HttpAnswer } from '../answer/http-answer.js';
import { originOf, providerSettings, type ConsoleProvider } from './console-provider.js';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** `asked`: further origins that the page may connect to. */
const securityPolicy = (asked: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    ["connect-src 'self'", ...asked].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const root = '/console';
const entry = 'index.html';

export class ConsolePage {
  /** From the path below `/console/` to the file. Only files that were there at the start are ever read. */
  readonly #files: ReadonlyMap<string, string>;
  /** Read at the start, so that it matches those files even if the page is rebuilt meanwhile. */
  readonly #page: Uint8Array;
  readonly #settings: string;
  readonly #policy: string;

  /** `prefix` is the path prefix of every route. Throws `OPTION_INVALID` if the page is not in the folder. */
  constructor(folder: string, prefix: string, provider?: ConsoleProvider) {
    if (!existsSync(join(folder, entry))) {
      throw invalidOption('console.assets', 'it must be the folder that @blockwork/console exports as consoleAssets');
    }
    this.#files = new Map(filesBelow(folder).map((path) => [relative(folder, path).split(sep).join('/'), path]));
    this.#page = readFileSync(join(folder, entry));
    this.#settings = JSON.stringify({ prefix, ...(provider && { provider: providerSettings(provider) }) });
    this.#policy = securityPolicy(provider === undefined ? [] : [originOf(provider)]);
  }

  /** `undefined` for paths that the console does not have. */
  async answer(path: string): Promise<HttpAnswer | undefined> {
    // Relative, so that it holds behind a proxy that adds a path. The page itself is at the path with the slash.
    if (path === root) return { status: 308, headers: { Location: 'console/' }, body: null };
    const name = path.slice(`${root}/`.length) || entry;
    if (name === 'settings.json') return this.#file('application/json', this.#settings, 'no-cache');
    const file = this.#files.get(name);
    const type = types[extname(name)];
    if (file === undefined || type === undefined) return undefined;
    // The names of assets contain their hash.
    const caching = name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    return this.#file(type, name === entry ? this.#page : await readFile(file), caching);
  }

  #file(type: string, body: string | Uint8Array, caching: string): HttpAnswer {
    return {
      status: 200,
      headers: {
        'Content-Type': type,
        'Content-Security-Policy': this.#policy,
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'no-referrer',
        'Cache-Control': caching,
      },
      body,
    };
  }

  /** Whether the path belongs to the console. */
  static owns(path: string): boolean {
    return path === root || path.startsWith(`${root}/`);
  }
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
