/** Variables of a script, and references to them. */
import type { Json, JsonObject } from '@blockwork/core';
import { cloneJson, isObject, valueAt } from '@blockwork/core/block';
import { setAt } from '@blockwork/testing';

const REFERENCE = /\$\{([^}]+)\}/g;

/** A reference to a variable that was not saved. */
export class UnknownVariable extends Error {
  constructor(readonly path: string) {
    super(`Nothing is saved at "${path}".`);
  }
}

export class Variables {
  readonly #values: JsonObject;

  constructor(values: JsonObject) {
    this.#values = cloneJson(values);
  }

  get all(): JsonObject {
    return cloneJson(this.#values);
  }

  set(name: string, value: Json): void {
    this.#values[name] = value;
  }

  /** Defines `${users.<name>.did}` and `${users.<name>.account}`. */
  setUser(name: string, user: { readonly did: string; readonly account: string }): void {
    const users = isObject(this.#values['users']) ? this.#values['users'] : {};
    this.#values['users'] = { ...users, [name]: { ...user } };
  }

  /**
   * Resolves every `${path}`, also in keys. A text that consists of one reference becomes the saved value of any type.
   * `{"$row": name, "set": {path: value}}` becomes the saved row with these values changed.
   * Throws `UnknownVariable`.
   */
  filledIn(value: Json): Json {
    if (typeof value === 'string') return this.#text(value);
    if (Array.isArray(value)) return value.map((item) => this.filledIn(item));
    if (!isObject(value)) return value;
    const members = Object.entries<Json>(value);
    if (typeof value['$row'] === 'string') return this.#row(value['$row'], members);
    return Object.fromEntries(members.map(([key, member]) => [asText(this.#text(key)), this.filledIn(member)]));
  }

  /** Names of users in references. */
  static usersIn(value: unknown): string[] {
    const text = JSON.stringify(value);
    return [...text.matchAll(/\$\{users\.([^.}]+)\./g)].map(([, name = '']) => name);
  }

  #row(name: string, members: readonly [string, Json][]): Json {
    const unknown = members.find(([key]) => key !== '$row' && key !== 'set');
    if (unknown !== undefined) throw new Error(`"$row" can only be combined with "set", not with "${unknown[0]}".`);
    const row = this.#at(name);
    if (!isObject(row)) throw new Error(`"${name}" is not a row.`);
    const set = members.find(([key]) => key === 'set')?.[1] ?? {};
    return setAt(row, this.filledIn(set) as JsonObject);
  }

  #text(text: string): Json {
    const [whole] = text.matchAll(REFERENCE);
    if (whole?.[0] === text) return this.#at(whole[1] ?? '');
    return text.replace(REFERENCE, (_, path: string) => asText(this.#at(path)));
  }

  #at(path: string): Json {
    const value = valueAt(this.#values, path);
    if (value === undefined) throw new UnknownVariable(path);
    return cloneJson(value as Json);
  }
}

const asText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));
