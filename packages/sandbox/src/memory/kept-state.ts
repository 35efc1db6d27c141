/** What a restart must not forget, in one file of a folder; without a folder, in memory only. */
import { invalidOption, makeFolder } from '@blockwork/core/adapter';
import { isObject } from '@blockwork/core/records';
import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { SandboxError } from '../errors.js';

const FILE = 'sandbox.json';
const VERSION = 1;

export class KeptState {
  readonly #folder: string | undefined;
  readonly #read: Readonly<Record<string, unknown>>;
  readonly #current = new Map<string, () => readonly unknown[]>();
  #last: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  /** Reads the file at once, since it only happens at startup. Throws `OPTION_INVALID` for one that cannot be used. */
  constructor(folder: string | undefined) {
    this.#folder = folder;
    this.#read = folder === undefined ? {} : contentOf(join(folder, FILE));
  }

  /**
   * The items that an earlier process kept under a name. From now on `current` tells which are to be kept. Throws
   * `OPTION_INVALID` if some are damaged.
   */
  open<Item>(name: string, item: z.ZodType<Item>, current: () => readonly Item[]): Item[] {
    this.#current.set(name, current);
    const { data, error } = z.array(item).safeParse(this.#read[name] ?? []);
    if (error === undefined) return data;
    const [issue] = error.issues;
    throw damaged(join(this.#folder ?? '', FILE), `/${[name, ...(issue?.path ?? [])].map(String).join('/')}`);
  }

  /** Resolves once everything up to now is in the file. Changes during a write share the next one. Rejects with `STATE_NOT_KEPT`. */
  save(): Promise<void> {
    const folder = this.#folder;
    if (folder === undefined) return Promise.resolve();
    this.#next ??= this.#last.then(() => {
      this.#next = undefined;
      const written = this.#write(folder);
      this.#last = written.catch(() => undefined);
      return written;
    });
    return this.#next;
  }

  async #write(folder: string): Promise<void> {
    const sections = [...this.#current].map(([name, current]) => [name, current()] as const);
    const content = { ...this.#read, version: VERSION, ...Object.fromEntries(sections) };
    const file = join(folder, FILE);
    try {
      await makeFolder(folder);
      // Holds hashes of passwords, so it is for its owner only.
      await writeFile(`${file}.tmp`, JSON.stringify(content), { mode: 0o600, flush: true });
      await rename(`${file}.tmp`, file);
    } catch (cause) {
      throw new SandboxError('STATE_NOT_KEPT', { file, reason: codeOf(cause) });
    }
  }
}

function contentOf(file: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return {};
    throw invalidOption('sandbox.folder', `${file} cannot be read (${codeOf(error)})`, error);
  }
  try {
    const content: unknown = JSON.parse(text);
    if (isObject(content) && content['version'] === VERSION) return content;
  } catch (error) {
    throw damaged(file, 'its JSON', error);
  }
  throw damaged(file, '/version');
}

const damaged = (file: string, place: string, cause?: unknown): Error =>
  invalidOption(
    'sandbox.folder',
    `${file} is damaged at ${place}; restore it from a backup, or delete it to begin without accounts`,
    cause,
  );

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown reason';
