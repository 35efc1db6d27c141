/**
 * Patterns of schemas, matched in time that grows with pattern and text only: a backtracking matcher could be busy for ever
 * with those of a stranger. All ways through a pattern are followed at once, sign by sign.
 */
import { SchemaUnusable } from './schema-unusable.js';

/** Groups within each other. */
const DEPTH = 50;

/** Steps of one pattern, with its repetitions written out. */
const SIZE = 20_000;

/** Steps taken for all texts of a bundle. */
const EFFORT = 20_000_000;

type Step =
  | { readonly is: 'sign'; readonly fits: (sign: string) => boolean; readonly next: Step }
  | { readonly is: 'place'; readonly holds: (before: string, after: string) => boolean; readonly next: Step }
  | { readonly is: 'fork'; readonly branches: Step[] }
  | { readonly is: 'end' };

/** Puts what it stands for before what follows. */
type Part = (next: Step) => Step;

const SPECIAL = /[(]\?(?:[=!]|<[=!])|\\(?:[1-9]|k<)/uy;
const OPENING = /[(](?:\?(?:<[^>]*>|:)|(?!\?))/uy;
const SIGN =
  /\\(?:u\{[\da-f]+\}|ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|p\{[^}]*\}|[^])|\[(?:\\[^]|[^\]\\])*\]|[^|()]/iuy;
const COUNT = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/uy;

const isWord = (sign: string): boolean => /^\w$/.test(sign);
const isEdge = (before: string, after: string): boolean => isWord(before) !== isWord(after);

const places: Readonly<Record<string, (before: string, after: string) => boolean>> = {
  '^': (before) => before === '',
  $: (_, after) => after === '',
  [String.raw`\b`]: isEdge,
  [String.raw`\B`]: (before, after) => !isEdge(before, after),
};

/** Those of one bundle, which share the effort. */
export class Patterns {
  readonly #starts = new Map<string, Step>();
  #effort = 0;

  /** Whether a part of the text fits. Throws `SchemaUnusable`. */
  matches(pattern: string, text: string): boolean {
    const start = this.#starts.get(pattern) ?? new Reader(pattern).start();
    this.#starts.set(pattern, start);
    const signs = Array.from(text);
    let open: Step[] = [];
    for (let at = 0; at <= signs.length; at += 1) {
      const [before, after] = [signs[at - 1] ?? '', signs[at] ?? ''];
      // A match may begin anywhere.
      const reached = this.#reached([...open, start], before, after);
      if (reached === undefined) return true;
      open = reached.flatMap((step) => (step.is === 'sign' && after !== '' && step.fits(after) ? [step.next] : []));
    }
    return false;
  }

  /** The signs that may come next; `undefined` at the end of the pattern. */
  #reached(open: Step[], before: string, after: string): Step[] | undefined {
    const seen = new Set<Step>();
    for (let step = open.pop(); step !== undefined; step = open.pop()) {
      this.#effort += 1;
      if (this.#effort > EFFORT) throw new SchemaUnusable('matching the patterns of this bundle takes too long');
      if (seen.has(step)) continue;
      seen.add(step);
      if (step.is === 'end') return undefined;
      if (step.is === 'fork') open.push(...step.branches);
      if (step.is === 'place' && step.holds(before, after)) open.push(step.next);
    }
    return [...seen];
  }
}

/** Reads a pattern as ECMAScript writes it with the flag `u`. */
class Reader {
  readonly #pattern: string;
  #at = 0;
  #size = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  start(): Step {
    try {
      new RegExp(this.#pattern, 'u');
    } catch {
      throw new SchemaUnusable(`its pattern ${this.#pattern.slice(0, 200)} cannot be read`);
    }
    return this.#choice(DEPTH)({ is: 'end' });
  }

  #choice(depth: number): Part {
    if (depth === 0) throw this.#unusable();
    const choices = [this.#sequence(depth)];
    while (this.#takes(/\|/uy)) choices.push(this.#sequence(depth));
    if (choices.length === 1 && choices[0]) return choices[0];
    return (next) => this.#grown({ is: 'fork', branches: choices.map((part) => part(next)) });
  }

  #sequence(depth: number): Part {
    const parts: Part[] = [];
    while (this.#at < this.#pattern.length) {
      const part = this.#single(depth);
      if (part === undefined) break;
      parts.push(this.#repeated(part));
    }
    return (next) => parts.reduceRight((following, part) => part(following), next);
  }

  /** `undefined` where a sequence ends. */
  #single(depth: number): Part | undefined {
    if (this.#takes(SPECIAL)) throw this.#unusable();
    if (this.#takes(OPENING)) {
      const part = this.#choice(depth - 1);
      this.#takes(/\)/uy);
      return part;
    }
    const sign = this.#takes(SIGN)?.[0];
    if (sign === undefined) {
      if (this.#pattern.startsWith('(', this.#at)) throw this.#unusable();
      return undefined;
    }
    const holds = Object.hasOwn(places, sign) ? places[sign] : undefined;
    if (holds !== undefined) return (next) => this.#grown({ is: 'place', holds, next });
    const one = new RegExp(`^(?:${sign})$`, 'u');
    return (next) => this.#grown({ is: 'sign', fits: (each) => one.test(each), next });
  }

  #repeated(part: Part): Part {
    const count = this.#takes(COUNT);
    if (count === undefined) return part;
    const [, mark, least = '', comma, most = ''] = count;
    const from = mark === undefined ? Number(least) : mark === '+' ? 1 : 0;
    const to =
      mark === undefined ? (comma === '' ? from : most === '' ? Infinity : Number(most)) : mark === '?' ? 1 : Infinity;
    return (next) => {
      let step = to === Infinity ? this.#loop(part, next) : next;
      for (let more = from; to !== Infinity && more < to; more += 1) {
        step = this.#grown({ is: 'fork', branches: [part(step), next] });
      }
      for (let more = 0; more < from; more += 1) step = this.#grown(part(step));
      return step;
    };
  }

  #loop(part: Part, next: Step): Step {
    const branches = [next];
    const loop = this.#grown({ is: 'fork', branches });
    branches.push(part(loop));
    return loop;
  }

  #grown(step: Step): Step {
    this.#size += 1;
    if (this.#size > SIZE) throw new SchemaUnusable(`its pattern ${this.#pattern.slice(0, 200)} is too large`);
    return step;
  }

  #takes(token: RegExp): RegExpExecArray | undefined {
    token.lastIndex = this.#at;
    const match = token.exec(this.#pattern) ?? undefined;
    this.#at += match?.[0].length ?? 0;
    return match;
  }

  #unusable(): SchemaUnusable {
    return new SchemaUnusable(
      `its pattern ${this.#pattern.slice(0, 200)} cannot be matched in linear time, since it looks around, refers back or nests too deep`,
    );
  }
}
