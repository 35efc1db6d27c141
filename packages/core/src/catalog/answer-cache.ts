/** Answers of blocks as JSON text, kept for as long as nothing changes that they were worked out from. */
import { LRUCache } from 'lru-cache';
import type { Caller } from '../access/index.js';
import { BlockworkError } from '../errors.js';
import type { PolicyStore } from '../ports/index.js';
import type { Json } from '../records/index.js';
import type { BlockReference } from './block-reference.js';
import { revisionKeys, type RecordReader } from '../transactions/index.js';

export interface Question {
  readonly caller: Caller;
  readonly policyId: string;
  readonly block: BlockReference;
  readonly query: Readonly<Record<string, string>>;
}

export interface Answered {
  readonly tag: string;
  readonly answer: Json;
  /** Whether the answer depends on nothing but the policy's records, the caller and the query. */
  readonly pure: boolean;
  /** The revision of the tools that the policy was compiled with; `null` for a policy that refers to no tool. */
  readonly tools: number | null;
}

interface Kept {
  readonly tag: string;
  readonly text: string;
  readonly revisions: string;
  readonly tools: number | null;
}

/** How often a store without snapshots is read before an answer may mix two moments. */
const ATTEMPTS = 10;

export class AnswerCache {
  readonly #kept: LRUCache<string, Kept>;

  constructor(
    private readonly store: PolicyStore,
    private readonly limits: { readonly answerCharacters: number; readonly pageBytes: number },
  ) {
    this.#kept = new LRUCache({
      maxSize: limits.answerCharacters,
      sizeCalculation: ({ text }, key) => text.length + key.length,
    });
  }

  /**
   * The kept answer while the policy's revisions stand still; else a new one, which is of one moment as that of `read`.
   */
  async text(
    question: Question,
    answer: (records: RecordReader) => Promise<Answered>,
  ): Promise<{ tag: string; text: string }> {
    const key = keyOf(question);
    const before = await this.#revisions(question.policyId);
    const kept = this.#kept.get(key);
    if (kept?.revisions === before && (await this.#hasSameTools(kept))) return kept;
    const { answered, revisions } = await this.#atOneMoment(question.policyId, before, answer);
    const { tag, answer: value, pure, tools } = answered;
    const text = this.#textOf(value);
    if (pure && revisions !== null) this.#kept.set(key, { tag, text, revisions, tools });
    return { tag, text };
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
    before: string,
    answer: (records: RecordReader) => Promise<Answered>,
  ): Promise<{ answered: Answered; revisions: string | null }> {
    const { store } = this;
    let revisions = before;
    for (let attempt = 1; ; attempt += 1) {
      const answered = await answer(store);
      const after = await this.#revisions(policyId);
      if (after === revisions) return { answered, revisions };
      if (store.snapshot !== undefined) return { answered: await store.snapshot(answer), revisions: null };
      if (attempt === ATTEMPTS) return { answered, revisions: null };
      revisions = after;
    }
  }

  /** Throws `PAGE_TOO_LARGE`. */
  #textOf(value: Json): string {
    const { pageBytes } = this.limits;
    const text = tryStringify(value);
    if (text !== undefined && text.length <= pageBytes && Buffer.byteLength(text) <= pageBytes) return text;
    throw new BlockworkError('PAGE_TOO_LARGE', { facts: { limit: pageBytes } });
  }

  async #hasSameTools({ tools }: Kept): Promise<boolean> {
    return tools === null || tools === (await this.store.revision(revisionKeys.tools.of()));
  }

  async #revisions(policyId: string): Promise<string> {
    const [records, definition] = await Promise.all([
      this.store.revision(revisionKeys.policy.of(policyId)),
      this.store.revision(revisionKeys.definition.of(policyId)),
    ]);
    return `${String(records)}/${String(definition)}`;
  }
}

/** `undefined` for more than a text can hold. */
function tryStringify(value: Json): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Everything an answer can depend on besides the records. Permissions are not among it: they are checked each time. */
const keyOf = ({ caller, policyId, block, query }: Question): string =>
  JSON.stringify([policyId, block, caller.did, caller.username ?? null, Object.entries(query)]);
