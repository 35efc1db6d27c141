/** What a restart must not forget, in its place; without one, in memory only. */
import { invalidOption } from '@blockwork/core/adapter';
import { isObject, type JsonObject } from '@blockwork/core/records';
import { z } from 'zod';
import { SandboxError } from '../errors.js';
import type { StatePlace } from './state-places.js';

const VERSION = 1;

export class KeptState {
  readonly #place: StatePlace | undefined;
  readonly #read: JsonObject;
  readonly #current = new Map<string, () => readonly JsonObject[]>();
  #last: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  /** Throws `OPTION_INVALID` for content that cannot be used. */
  constructor(place: StatePlace | undefined) {
    this.#place = place;
    this.#read = place?.text === undefined ? {} : contentOf(place, place.text);
  }

  /**
   * The items that an earlier process kept under a name. From now on `current` tells which are to be kept. Throws
   * `OPTION_INVALID` if some are damaged.
   */
  open<Item extends JsonObject>(name: string, item: z.ZodType<Item>, current: () => readonly Item[]): Item[] {
    this.#current.set(name, current);
    const { data, error } = z.array(item).safeParse(this.#read[name] ?? []);
    if (error === undefined) return data;
    const [issue] = error.issues;
    throw damaged(this.#place, `/${[name, ...(issue?.path ?? [])].map(String).join('/')}`);
  }

  /** Resolves once everything up to now is in its place. Changes during a write share the next one. Rejects with `STATE_NOT_KEPT`. */
  save(): Promise<void> {
    const place = this.#place;
    if (place === undefined) return Promise.resolve();
    this.#next ??= this.#last.then(() => {
      this.#next = undefined;
      const written = this.#write(place);
      this.#last = written.catch(() => undefined);
      return written;
    });
    return this.#next;
  }

  async #write(place: StatePlace): Promise<void> {
    const sections = [...this.#current].map(([name, current]) => [name, [...current()]] as const);
    try {
      await place.write({ ...this.#read, version: VERSION, ...Object.fromEntries(sections) });
    } catch (cause) {
      throw new SandboxError('STATE_NOT_KEPT', { place: place.name, reason: codeOf(cause) });
    }
  }
}

function contentOf(place: StatePlace, text: string): JsonObject {
  try {
    const content: unknown = JSON.parse(text);
    if (isObject(content) && content['version'] === VERSION) return content as JsonObject;
  } catch (error) {
    throw damaged(place, 'its JSON', error);
  }
  throw damaged(place, '/version');
}

function damaged(place: StatePlace | undefined, at: string, cause?: unknown): Error {
  const { name, option } = place ?? { name: '', option: 'sandbox' };
  const reason = `${name} is damaged at ${at}; restore it from a backup, or delete it to begin without accounts`;
  return invalidOption(option, reason, cause);
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown reason';
