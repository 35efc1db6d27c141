/** Answers of blocks as JSON text, kept for as long as nothing changes that they were worked out from. */
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

export interface Answered {
  readonly tag: string;
  readonly blockType: string;
  readonly answer: Json;
  /** Whether the answer depends on nothing but the policy's records, the caller and the query. */
  readonly pure: boolean;
  /** The revision of the policy's definition that answered. */
  readonly definition: number;
  /** The revision of the tools that the policy was compiled with; `null` for a policy that refers to no tool. */
  readonly tools: number | null;
}

/** An answer as JSON text. */
export interface AnswerText {
  readonly tag: string;
  readonly blockType: string;
  /** Whether it is from an earlier read. */
  readonly kept: boolean;
  readonly text: string;
}

interface Kept {
  readonly tag: string;
  readonly blockType: string;
  readonly kept: true;
  readonly text: string;
  readonly revisions: Revisions;
  readonly tools: number | null;
}

/** What an answer was worked out from, asked for together. */
interface Revisions {
  readonly records: number;
  readonly definition: number;
  readonly tools: number;
}

/** How often a store without snapshots is read before an answer may mix two moments. */
const ATTEMPTS = 10;

export class AnswerCache {
  readonly #kept: LRUCache<string, Kept>;
  readonly #rows: RowTexts;

  constructor(
    private readonly store: PolicyStore,
    private readonly limits: {
      readonly answerCharacters: number;
      readonly rowCharacters: number;
      readonly pageBytes: number;
    },
    /** `null` where reading the store costs nothing. */
    private readonly caches: RecordCaches | null = null,
  ) {
    this.#rows = new RowTexts(limits);
    this.#kept = new LRUCache({
      maxSize: limits.answerCharacters,
      sizeCalculation: ({ text }, key) => text.length + key.length,
    });
  }

  /**
   * The kept answer while the policy's revisions stand still; else a new one, which is of one moment as that of `read`. It may show
   * rows that are kept for further answers.
   */
  async text(
    question: Question,
    answer: (records: RecordReader, rows: RowTexts) => Promise<Answered>,
  ): Promise<AnswerText> {
    const key = keyOf(question);
    const before = await this.#revisions(question.policyId);
    const kept = this.#kept.get(key);
    if (kept && isSame(kept.revisions, before) && (kept.tools === null || kept.tools === before.tools)) return kept;
    const { answered, revisions } = await this.#atOneMoment(question.policyId, before, (records) =>
      answer(records, this.#rows),
    );
    const { tag, blockType, answer: value, pure, tools } = answered;
    const text = this.#textOf(value);
    if (pure && revisions !== null) this.#kept.set(key, { tag, blockType, kept: true, text, revisions, tools });
    return { tag, blockType, kept: false, text };
  }

  /** An answer that is not kept, and does not mix what was before a change with what came after. */
  async read(policyId: string, answer: (records: RecordReader) => Promise<Answered>): Promise<Answered> {
    return (await this.#atOneMoment(policyId, await this.#revisions(policyId), answer)).answered;
  }

  /**
   * Reads again if the policy changed meanwhile, and then from a snapshot where the store has them. `revisions`: those that the
   * answer belongs to, `null` if they are not known.
   */
  async #atOneMoment(
    policyId: string,
    before: Revisions,
    answer: (records: RecordReader) => Promise<Answered>,
  ): Promise<{ answered: Answered; revisions: Revisions | null }> {
    const { store } = this;
    let revisions = before;
    for (let attempt = 1; ; attempt += 1) {
      const reader = this.#readerAt(policyId, revisions);
      const answered = await answer(reader ?? store);
      if (reader?.isExact === true && answered.definition === revisions.definition) return { answered, revisions };
      const after = await this.#revisions(policyId);
      if (isSame(after, revisions)) {
        reader?.readsHold();
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

  #readerAt(policyId: string, { records: revision, definition, tools }: Revisions): CachedReader | null {
    const { store, caches } = this;
    if (caches === null) return null;
    caches.observed(revisionKeys.policy.of(policyId), revision);
    const known = new Map<string, number>([
      [revisionKeys.definition.of(policyId), definition],
      [revisionKeys.tools.of(), tools],
    ]);
    return new CachedReader({ store, caches, policyId, revision, known });
  }

  async #revisions(policyId: string): Promise<Revisions> {
    const { store } = this;
    const keys = [revisionKeys.policy.of(policyId), revisionKeys.definition.of(policyId), revisionKeys.tools.of()];
    const asked = store.revisions?.(keys) ?? Promise.all(keys.map((key) => store.revision(key)));
    const [records = 0, definition = 0, tools = 0] = await asked;
    return { records, definition, tools };
  }
}

/** Tools matter only to policies that refer to them. */
const isSame = (one: Revisions, other: Revisions): boolean =>
  one.records === other.records && one.definition === other.definition;

/** `undefined` for more than a text can hold. */
function tryStringify(value: Json): string | undefined {
  try {
    return textWithRows(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Bytes of UTF-8 that one unit of a text takes at most. */
const LARGEST_CHARACTER = 3;

const isWithin = (text: string, bytes: number): boolean => text.length <= bytes && Buffer.byteLength(text) <= bytes;

/** Everything an answer can depend on besides the records. Permissions are not among it: they are checked each time. */
const keyOf = ({ caller, policyId, block, query }: Question): string =>
  JSON.stringify([policyId, block, caller.did, caller.username ?? null, Object.entries(query)]);
