/** The console: the static files of a folder below `/console`, under a policy that allows no inline code and no host but the sign-in provider. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { invalidOption } from '@blockwork/core/adapter';
import type { HttpAnswer } from '../answer/http-answer.js';
import { originOf, providerSettings, type ConsoleProvider } from './console-provider.js';
import { ENTRY, fileHeaders, filesBelow, hasEntry, strictPolicy } from './static-files.js';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const root = '/console';

export class ConsolePage {
  /** From the path below `/console/` to the file. Only files that were there at the start are ever read. */
  readonly #files: ReadonlyMap<string, string>;
  /** Read at the start, so that it matches those files even if the page is rebuilt meanwhile. */
  readonly #page: Uint8Array;
  readonly #settings: string;
  readonly #policy: string;

  /** `prefix` is the path prefix of every route. Throws `OPTION_INVALID` if the page is not in the folder. */
  constructor(folder: string, prefix: string, provider?: ConsoleProvider) {
    if (!hasEntry(folder)) {
      throw invalidOption('console.assets', 'it must be the folder that @blockwork/console exports as consoleAssets');
    }
    this.#files = filesBelow(folder);
    this.#page = readFileSync(join(folder, ENTRY));
    this.#settings = JSON.stringify({ prefix, ...(provider && { provider: providerSettings(provider) }) });
    this.#policy = strictPolicy({ connections: provider === undefined ? [] : [originOf(provider)] });
  }

  /** `undefined` for paths that the console does not have. */
  async answer(path: string): Promise<HttpAnswer | undefined> {
    // Relative, so that it holds behind a proxy that adds a path. The page itself is at the path with the slash.
    if (path === root) return { status: 308, headers: { Location: 'console/' }, body: null };
    const name = path.slice(`${root}/`.length) || ENTRY;
    if (name === 'settings.json') return this.#file('application/json', this.#settings, 'no-cache');
    const file = this.#files.get(name);
    const type = types[extname(name)];
    if (file === undefined || type === undefined) return undefined;
    // The names of assets contain their hash.
    const caching = name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    return this.#file(type, name === ENTRY ? this.#page : await readFile(file), caching);
  }

  #file(type: string, body: string | Uint8Array, caching: string): HttpAnswer {
    return { status: 200, headers: fileHeaders(type, this.#policy, caching), body };
  }

  /** Whether the path belongs to the console. */
  static owns(path: string): boolean {
    return path === root || path.startsWith(`${root}/`);
  }
}
