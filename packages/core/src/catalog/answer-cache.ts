/** A cache of block answers as JSON text, valid until something they depend on changes. */
import { LRUCache } from 'lru-cache';
import type { Caller } from '../access/index.js';
import { BlockworkError } from '../errors.js';
import type { PolicyStore } from '../ports/index.js';
import type { Json } from '../records/index.js';
import type { BlockReference } from './block-reference.js';
import { RowTexts, textWithRows } from './row-texts.js';
import { CachedReader, revisionKeys, type RecordCaches, type RecordReader } from '../transactions/index.js';

export interface Question {
  readonly caller: Caller;
  readonly policyId: string;
  readonly block: BlockReference;
  readonly query: Readonly<Record<string, string>>;
}

export interface ComputedAnswer {
  readonly tag: string;
  readonly blockType: string;
  readonly answer: Json;
  /** Whether the answer depends only on the policy's records, the caller and the query. */
  readonly pure: boolean;
  /** The definition revision of the policy that produced the answer. */
  readonly definition: number;
  /** The revision of the tools the policy was compiled with; `null` if it uses none. */
  readonly tools: number | null;
}

/** An answer as JSON text. */
export interface AnswerText {
  readonly tag: string;
  readonly blockType: string;
  /** Whether it is a cache hit. */
  readonly kept: boolean;
  readonly text: string;
}

interface CachedAnswer {
  readonly tag: string;
  readonly blockType: string;
  readonly kept: true;
  readonly text: string;
  readonly revisions: Revisions;
  readonly tools: number | null;
}

/** The revisions an answer depends on, queried together. */
interface Revisions {
  readonly records: number;
  readonly definition: number;
  readonly tools: number;
  /** The history of the store that they belong to. */
  readonly history: string | undefined;
}

/** Attempts at a consistent read on a store without snapshots, before an inconsistent answer is accepted. */
const ATTEMPTS = 10;

export class AnswerCache {
  readonly #cache: LRUCache<string, CachedAnswer>;
  readonly #rows: RowTexts;

  constructor(
    private readonly store: PolicyStore,
    private readonly limits: {
      readonly answerCharacters: number;
      readonly rowCharacters: number;
      readonly pageBytes: number;
    },
    /** `null` if store reads are cheap. */
    private readonly caches: RecordCaches | null = null,
  ) {
    this.#rows = new RowTexts(limits);
    this.#cache = new LRUCache({
      maxSize: limits.answerCharacters,
      sizeCalculation: ({ text }, key) => text.length + key.length,
    });
  }

  /**
   * The cached answer while the policy's revisions are unchanged; otherwise a new, consistent one, as from `read`. It
   * may contain rows that are cached for other answers.
   */
  async text(
    question: Question,
    answer: (records: RecordReader, rows: RowTexts) => Promise<ComputedAnswer>,
  ): Promise<AnswerText> {
    const key = keyOf(question);
    const before = await this.#revisions(question.policyId);
    const cached = this.#cache.get(key);
    if (cached && isSame(cached.revisions, before) && (cached.tools === null || cached.tools === before.tools))
      return cached;
    const { answered, revisions } = await this.#readConsistently(question.policyId, before, (records) =>
      answer(records, this.#rows),
    );
    const { tag, blockType, answer: value, pure, tools } = answered;
    const text = this.#textOf(value);
    if (pure && revisions !== null) this.#cache.set(key, { tag, blockType, kept: true, text, revisions, tools });
    return { tag, blockType, kept: false, text };
  }

  /** An uncached answer that is consistent: it never mixes the states before and after a change. */
  async read(policyId: string, answer: (records: RecordReader) => Promise<ComputedAnswer>): Promise<ComputedAnswer> {
    return (await this.#readConsistently(policyId, await this.#revisions(policyId), answer)).answered;
  }

  /**
   * Reads again if the policy changed during the read, then from a snapshot if the store supports it. `revisions` are
   * those the answer belongs to, `null` if unknown.
   */
  async #readConsistently(
    policyId: string,
    before: Revisions,
    answer: (records: RecordReader) => Promise<ComputedAnswer>,
  ): Promise<{ answered: ComputedAnswer; revisions: Revisions | null }> {
    const { store } = this;
    let revisions = before;
    for (let attempt = 1; ; attempt += 1) {
      const reader = this.#readerAt(policyId, revisions);
      const answered = await answer(reader ?? store);
      if (reader?.isExact === true && answered.definition === revisions.definition) return { answered, revisions };
      const after = await this.#revisions(policyId);
      if (isSame(after, revisions)) {
        reader?.confirmReads();
        return { answered, revisions };
      }
      if (store.snapshot !== undefined) return { answered: await store.snapshot(answer), revisions: null };
      if (attempt === ATTEMPTS) return { answered, revisions: null };
      revisions = after;
    }
  }

  /** Throws `PAGE_TOO_LARGE`. */
  #textOf(value: Json): string {
    const { pageBytes } = this.limits;
    const text = tryStringify(value);
    if (text !== undefined && (text.length <= pageBytes / LARGEST_CHARACTER || isWithin(text, pageBytes))) return text;
    throw new BlockworkError('PAGE_TOO_LARGE', { facts: { limit: pageBytes } });
  }

  #readerAt(policyId: string, { records: revision, definition, tools, history }: Revisions): CachedReader | null {
    const { store, caches } = this;
    if (caches === null) return null;
    if (caches.isOf(history)) caches.observed(revisionKeys.policy.of(policyId), revision);
    const revisions = new Map<string, number>([
      [revisionKeys.definition.of(policyId), definition],
      [revisionKeys.tools.of(), tools],
    ]);
    return new CachedReader({ store, caches, policyId, revision, history, revisions });
  }

  async #revisions(policyId: string): Promise<Revisions> {
    const { store } = this;
    const keys = [revisionKeys.policy.of(policyId), revisionKeys.definition.of(policyId), revisionKeys.tools.of()];
    const history = store.history?.id;
    const revisions = store.revisions?.(keys) ?? Promise.all(keys.map((key) => store.revision(key)));
    const [records = 0, definition = 0, tools = 0] = await revisions;
    return { records, definition, tools, history };
  }
}

/** Tools matter only for policies that use them. */
const isSame = (one: Revisions, other: Revisions): boolean =>
  one.records === other.records && one.definition === other.definition && one.history === other.history;

/** `undefined` if the text exceeds the maximum string length. */
function tryStringify(value: Json): string | undefined {
  try {
    return textWithRows(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Maximum UTF-8 bytes per UTF-16 code unit. */
const LARGEST_CHARACTER = 3;

const isWithin = (text: string, bytes: number): boolean => text.length <= bytes && Buffer.byteLength(text) <= bytes;

/**
 * Everything an answer depends on besides the records. Permissions are excluded because they are checked on every read.
 */
const keyOf = ({ caller, policyId, block, query }: Question): string =>
  JSON.stringify([policyId, block, caller.did, caller.username ?? null, Object.entries(query)]);
